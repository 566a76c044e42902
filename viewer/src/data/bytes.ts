// Bytes that grow at their end, in one buffer.
//
// A trajectory may have hundreds of megabytes, so that it must not be there twice. `transfer` lets the browser
// enlarge a buffer where it lies; views of the old one end, so nobody keeps a view across an `append`.

type Transferable = ArrayBuffer & { transfer?: (length: number) => ArrayBuffer };

export class GrowingBytes {
  #buffer = new ArrayBuffer(0);
  #length = 0;

  /** How many there are. */
  get length(): number {
    return this.#length;
  }

  /** The buffer they lie in; behind them is room. */
  get buffer(): ArrayBuffer {
    return this.#buffer;
  }

  /** Makes room for so many in all. */
  reserve(total: number): void {
    if (total <= this.#buffer.byteLength) return;
    const old: Transferable = this.#buffer;
    if (old.transfer !== undefined && old.byteLength > 0) {
      this.#buffer = old.transfer(total);
      return;
    }
    this.#buffer = new ArrayBuffer(total);
    new Uint8Array(this.#buffer).set(new Uint8Array(old, 0, this.#length));
  }

  append(piece: Uint8Array): void {
    const total = this.#length + piece.byteLength;
    if (total > this.#buffer.byteLength) {
      this.reserve(Math.max(total, Math.min(this.#buffer.byteLength * 1.5, this.#buffer.byteLength + (64 << 20))));
    }
    new Uint8Array(this.#buffer).set(piece, this.#length);
    this.#length = total;
  }

  clear(): void {
    this.#buffer = new ArrayBuffer(0);
    this.#length = 0;
  }

  view(start: number, length: number): Uint8Array {
    return new Uint8Array(this.#buffer, start, length);
  }
}
