// The board itself: argv[1] is the file of pins. Bytes 0 to 63 are levels of the pins (2: bouncing), 64 to 67 how often
// the buzzer was sounded, 68 to 71 for how long at last, 72 to 75 how often the sketch has looked at its pins, 128 on
// the lasting memory.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "Arduino.h"
#include "EEPROM.h"

void setup();
void loop();

SerialPort Serial;
Eeprom EEPROM;
uint8_t *lasting;
static volatile uint8_t *pins;

unsigned long millis() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

int digitalRead(uint8_t pin) {
  static uint8_t bounce[64];
  if (pins[pin] == 2) return bounce[pin] ^= 1;  // a loose contact: another level at every look
  return pins[pin];
}
void digitalWrite(uint8_t pin, uint8_t level) { pins[pin] = level; }

void pinMode(uint8_t pin, uint8_t mode) {
  if (mode == OUTPUT) pins[pin] = LOW;
}

void tone(uint8_t, unsigned int, unsigned long duration_ms) {
  *(volatile uint32_t *)(pins + 68) = (uint32_t)duration_ms;
  *(volatile uint32_t *)(pins + 64) += 1;
}

void SerialPort::begin(unsigned long) {}

int SerialPort::available() {
  struct pollfd line = {0, POLLIN, 0};
  return poll(&line, 1, 0) > 0 && (line.revents & POLLIN) ? 1 : 0;
}

int SerialPort::read() {
  unsigned char got;
  ssize_t size = ::read(0, &got, 1);
  if (size == 1) return got;
  if (size < 0 && (errno == EAGAIN || errno == EIO)) return -1;  // nobody has the other end open
  exit(0);
}

int SerialPort::availableForWrite() {
  struct pollfd line = {1, POLLOUT, 0};
  return poll(&line, 1, 0) > 0 && (line.revents & POLLOUT) ? 63 : 0;
}

size_t SerialPort::write(const uint8_t *bytes, size_t size) {
  ssize_t done = ::write(1, bytes, size);
  return done < 0 ? 0 : (size_t)done;
}

int main(int, char **argv) {
  int file = open(argv[1], O_RDWR);
  uint8_t *memory = (uint8_t *)mmap(NULL, 256, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return 1;
  pins = memory;
  lasting = memory + 128;
  setup();
  for (;;) {
    loop();
    *(volatile uint32_t *)(pins + 72) += 1;
    usleep(500);
  }
}
