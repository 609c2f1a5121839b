// The opcodes of Python's pickle: those that a state dict needs, and the names of all, for refusing the others.
#pragma once

#include <cstdint>
#include <string>

namespace posenc {

enum class Opcode : std::uint8_t {
  kMark = '(',
  kStop = '.',
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kBinPersId = 'Q',
  kReduce = 'R',
  kBinUnicode = 'X',
  kBuild = 'b',
  kGlobal = 'c',
  kEmptyDict = '}',
  kBinGet = 'h',
  kLongBinGet = 'j',
  kBinPut = 'q',
  kLongBinPut = 'r',
  kSetItem = 's',
  kTuple = 't',
  kEmptyTuple = ')',
  kSetItems = 'u',
  kProto = 0x80,
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kLong1 = 0x8a,
  kStackGlobal = 0x93,  // never carried out: named so that the refusal can say what it asks for
};

// "INST", as pickletools calls it; "0x07" for a byte that is no opcode.
std::string opcode_name(std::uint8_t code);

}  // namespace posenc
