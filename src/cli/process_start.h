// What the process must have before any library opens a file.
#pragma once

namespace posenc {

// Opens /dev/null in place of each standard stream that is closed. Without it the first file that is opened, which may
// be the file of results, takes the number of standard output and receives what is printed. Output to a stream that was
// closed is dropped without an error, as with `>/dev/null`: whoever closed it has said that nobody reads it.
//
// Also leaves a working directory that was deleted, until return_to_working_directory(): oneMKL ends the process where
// it cannot name the directory while LibTorch is loaded.
//
// Only makes system calls, since it runs before the constructors of the libraries.
void prepare_process();

// From then on an absolute path works and a relative one is an error of the system, also where the directory is gone.
void return_to_working_directory();

}  // namespace posenc
