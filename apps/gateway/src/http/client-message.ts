import type { IncomingRequest, OutgoingAnswer } from '@gatehouse/http1'

/** A request of a client: that of Node's server has the same parts. */
export type ClientRequest = Pick<
  IncomingRequest,
  | 'method'
  | 'url'
  | 'rawHeaders'
  | 'httpVersion'
  | 'httpVersionMajor'
  | 'httpVersionMinor'
  | 'complete'
  | 'readableFlowing'
  | 'pause'
  | 'resume'
> & {
  on: ClientRequestListening
  off: ClientRequestListening
}

interface ClientRequestListening {
  (event: 'data', listener: (chunk: Buffer) => void): unknown
  (event: 'end' | 'close', listener: () => void): unknown
}

/** The answer to it. */
export type ClientAnswer = Pick<OutgoingAnswer, 'writeContinue' | 'flushHeaders' | 'write'> & {
  writeHead(status: number, headers: string[]): unknown
  end(): unknown
  end(chunk: Buffer): unknown
  end(chunk: string, encoding: 'utf8' | 'latin1'): unknown
  once(event: 'drain', listener: () => void): unknown
  /** Where the answer breaks off; absent where that ends the connection. */
  cut?: () => void
  /** Absent with Node's server, and where no client reads interim answers. */
  readonly writeInterim?: OutgoingAnswer['writeInterim']
  /** Absent with Node's server. */
  readonly writeHeadOf?: OutgoingAnswer['writeHeadOf']
  /** Absent with Node's server, which passes no other protocol on. */
  readonly switchProtocols?: OutgoingAnswer['switchProtocols']
  /** Node's server keeps what it is given. */
  readonly copiedBytesMax?: number
}
