/** Builds little-endian bytes, as TDS has them (MS-TDS 2.2.4). */
export class TdsWriter {
  readonly #parts: Buffer[] = []

  bytes(value: Uint8Array): this {
    this.#parts.push(Buffer.from(value))
    return this
  }

  uint(value: number | bigint, lengthBytes: number): this {
    const part = Buffer.alloc(lengthBytes)
    let rest = BigInt.asUintN(lengthBytes * 8, BigInt(value))
    for (let at = 0; at < lengthBytes; at++, rest >>= 8n) part[at] = Number(rest & 0xffn)
    return this.bytes(part)
  }

  u8(...values: number[]): this {
    return this.bytes(Uint8Array.from(values))
  }

  u16 = (value: number): this => this.uint(value, 2)
  u32 = (value: number): this => this.uint(value, 4)

  ucs2(text: string): this {
    return this.bytes(Buffer.from(text, 'utf16le'))
  }

  /** B_VARCHAR: at most 255 UTF-16 units. */
  bVarChar(text: string): this {
    return this.u8(text.length).ucs2(text)
  }

  /** US_VARCHAR. */
  usVarChar(text: string): this {
    return this.u16(text.length).ucs2(text)
  }

  done(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

/** Reads little-endian bytes; throws where they end too early. */
export class TdsReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  peek(): number | undefined {
    return this.#bytes[this.#at]
  }

  bytes(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) {
      throw new RangeError(`a message ends ${length} bytes short at ${this.#at}`)
    }
    const part = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return part
  }

  uint(lengthBytes: number): bigint {
    return this.bytes(lengthBytes).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  }

  int(lengthBytes: number): bigint {
    return BigInt.asIntN(lengthBytes * 8, this.uint(lengthBytes))
  }

  u8 = (): number => Number(this.uint(1))
  u16 = (): number => Number(this.uint(2))
  u32 = (): number => Number(this.uint(4))

  ucs2(units: number): string {
    return this.bytes(units * 2).toString('utf16le')
  }

  bVarChar = (): string => this.ucs2(this.u8())
  usVarChar = (): string => this.ucs2(this.u16())

  rest(): Buffer {
    return this.bytes(this.#bytes.length - this.#at)
  }
}
