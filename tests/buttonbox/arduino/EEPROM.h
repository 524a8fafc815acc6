// The board's lasting memory: the part of the pins' file that outlives the process.
#pragma once
#include <stdint.h>

extern uint8_t *lasting;

struct Eeprom {
  template <typename T> T &get(int at, T &value) {
    memcpy(&value, lasting + at, sizeof(T));
    return value;
  }
  template <typename T> const T &put(int at, const T &value) {
    memcpy(lasting + at, &value, sizeof(T));
    return value;
  }
};
extern Eeprom EEPROM;
