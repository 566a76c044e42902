//! As much of HTTP/1.1 (RFC 9110, 9112) as a page on the same machine needs.
//!
//! It is written here and not taken from a crate because what matters is what is left out: requests with a body,
//! connections that stay open, compression. Each connection is one request and one answer, every wait has an end, and
//! what is read is bounded before it is looked at.

mod range;
mod request;
mod response;

use range::Range;
pub(crate) use request::{Refusal, Request};
pub(crate) use response::{Body, Response};
