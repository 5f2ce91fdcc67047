/// The version of this program.
let clientVersion = "0.1.0"
