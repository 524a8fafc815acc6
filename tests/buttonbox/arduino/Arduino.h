// As much of an Arduino as the button box's sketch uses, on a desk: time is real, the serial port is standard input and
// output, and the pins are bytes of a file that a test maps into its memory.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIGH 1
#define LOW 0
#define OUTPUT 1
#define INPUT_PULLUP 2

unsigned long millis();
int digitalRead(uint8_t pin);
void digitalWrite(uint8_t pin, uint8_t level);
void pinMode(uint8_t pin, uint8_t mode);
void tone(uint8_t pin, unsigned int hertz, unsigned long duration_ms);

struct SerialPort {
  void begin(unsigned long baud);
  int available();
  int read();
  int availableForWrite();
  size_t write(const uint8_t *bytes, size_t size);
};
extern SerialPort Serial;
