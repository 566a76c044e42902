// Base64 in pieces: a film may have hundreds of megabytes.

/** A multiple of four, so that each piece stands for whole bytes. */
const PIECE = 4 << 20;

export function* base64Bytes(text: string): Generator<Uint8Array> {
  for (let at = 0; at < text.length; at += PIECE) {
    const characters = atob(text.slice(at, at + PIECE));
    const bytes = new Uint8Array(characters.length);
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = characters.charCodeAt(i);
    yield bytes;
  }
}
