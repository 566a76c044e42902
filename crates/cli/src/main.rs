//! The program `tumble`; all of it is in the library beside it, where tests and tools can reach it.

fn main() -> std::process::ExitCode {
    tumble_cli::main()
}
