// Button box for the referee, for any Arduino with EEPROM (tried in a compiler for the Uno and the Nano).
// It speaks version 1 of the protocol in docs/reference/button-box-protocol.md: one line a message, each with a checksum.
//
// Wiring: each button from its pin to GND; each lamp from its pin through 330 ohm to GND; the buzzer (passive piezo)
// from its pin to GND. No other parts: the pins pull themselves up.

#include <Arduino.h>
#include <EEPROM.h>

// One pin a button, in the order of the players; {2} is one button for all.
const uint8_t BUTTON_PINS[] = {2, 3, 4, 5};
const uint8_t BUTTONS = sizeof(BUTTON_PINS) / sizeof(BUTTON_PINS[0]);
const uint8_t BUZZER_PIN = 8;
const uint8_t GREEN_PIN = 9;
const uint8_t AMBER_PIN = 10;
const uint8_t RED_PIN = 11;

const unsigned VERSION = 1;
const unsigned long BAUD = 115200;
const unsigned long STEADY_MS = 10;     // debouncing: a contact at rest for so long has been pressed or let go
const unsigned long BEAT_MS = 1000;     // between two signs of life
const unsigned long REPEAT_MS = 200;    // before a press is told again that nobody acknowledged
const unsigned long STALE_MS = 5000;    // a press that nobody heard of for so long ends no turn any more
const unsigned long LOST_MS = 5000;     // without a word from the referee
const unsigned LONGEST_BUZZ_MS = 5000;
const unsigned BUZZ_HZ = 2000;
const uint8_t LINE_SIZE = 64;           // the longest line, with its end
const uint8_t PRESSES = 8;              // that wait for their acknowledgement

struct Button {
  bool pressed;               // as last told
  bool reading;               // as the pin was last read
  unsigned long changed_ms;   // since when it reads so
};

struct Press {
  bool waiting;
  uint16_t seq;
  uint8_t button;             // from 1
  unsigned long at_ms;
  unsigned long told_ms;
};

enum Lamp { OFF, GREEN, AMBER, RED };

Button buttons[BUTTONS];
Press presses[PRESSES];
Lamp lamp = OFF;
uint16_t boot_number;         // another one after each start: the referee sees that our counting began anew
uint16_t next_seq = 1;
char line[LINE_SIZE];
uint8_t line_length = 0;
bool line_open = false;
unsigned long heard_ms = 0;
bool heard = false;
unsigned long beat_ms = 0;
bool command_known = false;   // whether command_seq is one that was carried out
uint16_t command_seq = 0;

// CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF.
uint16_t crc16(const char *text, uint8_t length) {
  uint16_t crc = 0xFFFF;
  for (uint8_t i = 0; i < length; i++) {
    crc ^= (uint16_t)((uint8_t)text[i]) << 8;
    for (uint8_t bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) ? (uint16_t)((crc << 1) ^ 0x1021) : (uint16_t)(crc << 1);
    }
  }
  return crc;
}

// Sends "@body*CRC\n", or nothing when there is no room: what matters is told again.
bool send(const char *body) {
  char out[LINE_SIZE];
  int length = snprintf(out, sizeof(out), "@%s*%04X\n", body, (unsigned)crc16(body, (uint8_t)strlen(body)));
  if (length <= 0 || length >= (int)sizeof(out) || Serial.availableForWrite() < length) return false;
  Serial.write((const uint8_t *)out, (size_t)length);
  return true;
}

uint16_t take_seq() {
  uint16_t seq = next_seq++;
  if (next_seq == 0) next_seq = 1;
  return seq;
}

void send_hello() {
  char body[LINE_SIZE];
  snprintf(body, sizeof(body), "%u HELLO %u %u %u", (unsigned)take_seq(), VERSION, (unsigned)boot_number,
           (unsigned)BUTTONS);
  send(body);
}

void send_beat() {
  char body[LINE_SIZE];
  snprintf(body, sizeof(body), "%u BEAT %u", (unsigned)take_seq(), (unsigned)boot_number);
  send(body);
}

void send_ack(uint16_t seq) {
  char body[LINE_SIZE];
  snprintf(body, sizeof(body), "%u ACK %u", (unsigned)take_seq(), (unsigned)seq);
  send(body);
}

void tell_press(Press &press, unsigned long now) {
  char body[LINE_SIZE];
  snprintf(body, sizeof(body), "%u PRESS %u %u %lu", (unsigned)press.seq, (unsigned)boot_number,
           (unsigned)press.button, now - press.at_ms);
  send(body);
  press.told_ms = now;
}

void note_press(uint8_t button, unsigned long now) {
  for (uint8_t i = 0; i < PRESSES; i++) {
    if (presses[i].waiting) continue;
    presses[i].waiting = true;
    presses[i].seq = take_seq();
    presses[i].button = button;
    presses[i].at_ms = now;
    tell_press(presses[i], now);
    return;
  }
  // Eight presses nobody acknowledged: one more says nothing new.
}

void watch_buttons(unsigned long now) {
  for (uint8_t i = 0; i < BUTTONS; i++) {
    bool reading = digitalRead(BUTTON_PINS[i]) == LOW;
    if (reading != buttons[i].reading) {
      buttons[i].reading = reading;
      buttons[i].changed_ms = now;
    }
    if (reading != buttons[i].pressed && now - buttons[i].changed_ms >= STEADY_MS) {
      buttons[i].pressed = reading;
      if (reading) note_press((uint8_t)(i + 1), now);
    }
  }
}

void repeat_presses(unsigned long now) {
  for (uint8_t i = 0; i < PRESSES; i++) {
    Press &press = presses[i];
    if (!press.waiting) continue;
    if (now - press.at_ms > STALE_MS) {
      press.waiting = false;
    } else if (now - press.told_ms >= REPEAT_MS) {
      tell_press(press, now);
    }
  }
}

void acknowledged(uint16_t seq) {
  for (uint8_t i = 0; i < PRESSES; i++) {
    if (presses[i].waiting && presses[i].seq == seq) presses[i].waiting = false;
  }
}

// Carries a command out, once however often it comes.
bool obey(const char *kind, const char *argument) {
  if (strcmp(kind, "LAMP") == 0) {
    if (strcmp(argument, "green") == 0) lamp = GREEN;
    else if (strcmp(argument, "amber") == 0) lamp = AMBER;
    else if (strcmp(argument, "red") == 0) lamp = RED;
    else if (strcmp(argument, "off") == 0) lamp = OFF;
    else return false;
    return true;
  }
  if (strcmp(kind, "BUZZ") == 0) {
    unsigned long ms = strtoul(argument, NULL, 10);
    tone(BUZZER_PIN, BUZZ_HZ, ms < LONGEST_BUZZ_MS ? ms : LONGEST_BUZZ_MS);
    return true;
  }
  return false;
}

// body: "SEQ KIND ARGUMENT", checked already; it is taken apart in place.
void understand(char *body) {
  char *kind = strchr(body, ' ');
  if (kind == NULL) return;
  *kind++ = '\0';
  char *argument = strchr(kind, ' ');
  if (argument != NULL) *argument++ = '\0';
  else argument = kind + strlen(kind);
  uint16_t seq = (uint16_t)strtoul(body, NULL, 10);
  heard = true;
  heard_ms = millis();
  if (strcmp(kind, "HELLO") == 0) {
    command_known = false;   // the referee began anew, and so did its counting
    send_hello();
  } else if (strcmp(kind, "ACK") == 0) {
    acknowledged((uint16_t)strtoul(argument, NULL, 10));
  } else if (strcmp(kind, "BEAT") != 0) {
    if (!(command_known && seq == command_seq)) {
      if (!obey(kind, argument)) return;   // nothing we know: no acknowledgement
      command_known = true;
      command_seq = seq;
    }
    send_ack(seq);
  }
}

// text: what stood between '@' and the line's end.
void check_line(char *text, uint8_t length) {
  if (length < 5 || text[length - 5] != '*') return;
  char *end;
  unsigned long told = strtoul(text + length - 4, &end, 16);
  if (*end != '\0' || told != crc16(text, (uint8_t)(length - 5))) return;
  text[length - 5] = '\0';
  understand(text);
}

void listen() {
  // Not more than a buffer at a time: a flood must not keep the buttons waiting.
  for (uint8_t i = 0; i < 64 && Serial.available() > 0; i++) {
    char got = (char)Serial.read();
    if (got == '@') {
      line_open = true;
      line_length = 0;
    } else if (got == '\n' || got == '\r') {
      if (line_open) {
        line[line_length] = '\0';
        check_line(line, line_length);
      }
      line_open = false;
    } else if (line_open) {
      if (line_length < LINE_SIZE - 1) line[line_length++] = got;
      else line_open = false;
    }
  }
}

void show_lamp(unsigned long now) {
  bool lost = !heard || now - heard_ms > LOST_MS;
  Lamp shown = lost ? OFF : lamp;
  // Not by colour alone: red blinks, and without a referee amber flashes every other second.
  digitalWrite(GREEN_PIN, shown == GREEN ? HIGH : LOW);
  digitalWrite(RED_PIN, shown == RED && (now / 300) % 2 == 0 ? HIGH : LOW);
  digitalWrite(AMBER_PIN, shown == AMBER || (lost && now % 2000 < 80) ? HIGH : LOW);
}

void setup() {
  for (uint8_t i = 0; i < BUTTONS; i++) {
    pinMode(BUTTON_PINS[i], INPUT_PULLUP);
    buttons[i].pressed = buttons[i].reading = false;
    buttons[i].changed_ms = 0;
  }
  for (uint8_t i = 0; i < PRESSES; i++) presses[i].waiting = false;
  pinMode(GREEN_PIN, OUTPUT);
  pinMode(AMBER_PIN, OUTPUT);
  pinMode(RED_PIN, OUTPUT);
  pinMode(BUZZER_PIN, OUTPUT);
  EEPROM.get(0, boot_number);
  boot_number++;
  EEPROM.put(0, boot_number);
  Serial.begin(BAUD);
  send_hello();
}

void loop() {
  unsigned long now = millis();
  listen();
  watch_buttons(now);
  repeat_presses(now);
  if (now - beat_ms >= BEAT_MS) {
    beat_ms = now;
    send_beat();
  }
  show_lamp(millis());
}
