import type { Socket } from 'node:net'
import type { SwitchedConnection, SwitchedTaker } from '../switched-connection.ts'
import { closeFrame } from './close-frame.ts'
import { FrameReader } from './frame-reader.ts'

/** Hears what happens on a side. */
export interface SideWatcher {
  /** Its frames passed on; more may follow. */
  handlePassed(side: WebSocketSide): void
  /** It will send no more. */
  handleEnd(side: WebSocketSide): void
  /** Its connection is gone. */
  handleClosed(side: WebSocketSide): void
}

/** One side of a WebSocket: takes its frames, passes them to the other, and reads no more than that one takes. */
export class WebSocketSide implements SwitchedTaker {
  readonly name: 'client' | 'upstream'
  readonly socket: Socket
  readonly reader: FrameReader
  /** Of its frames, as they were passed on. */
  passedBytes = 0
  #peer: WebSocketSide | null = null
  readonly #watcher: SideWatcher
  #isClosed = false

  constructor(
    name: WebSocketSide['name'],
    socket: Socket,
    maxMessageBytes: number,
    watcher: SideWatcher,
  ) {
    this.name = name
    this.socket = socket
    this.#watcher = watcher
    this.reader = new FrameReader({ isMasked: name === 'client', maxMessageBytes })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  start(connection: SwitchedConnection, peer: WebSocketSide): void {
    this.#peer = peer
    const { socket } = this
    socket.on('drain', () => peer.socket.resume())
    socket.on('close', () => {
      if (this.#isClosed) return
      this.#isClosed = true
      // What it has not taken will never drain.
      peer.socket.resume()
      this.#watcher.handleClosed(this)
    })
    connection.start(this)
  }

  handleBytes(bytes: Buffer, isLent: boolean): void {
    const { reader } = this
    // What comes behind the end is thrown away.
    if (reader.isOver) return
    const passed = reader.read(bytes)
    if (passed.length > 0) {
      this.passedBytes += passed.length
      this.#peer?.take(isLent ? Buffer.from(passed) : passed, this)
    }
    this.#watcher.handlePassed(this)
  }

  handleEnd(): void {
    this.#watcher.handleEnd(this)
  }

  /** Bytes of the other side, which is read no further while these wait. */
  take(bytes: Buffer, from: WebSocketSide): void {
    if (this.socket.writable && !this.socket.write(bytes)) from.socket.pause()
  }

  /** Closes towards this side. Only where no frame to it is under way. */
  sendClose(code: number, reason: string): void {
    if (!this.socket.writable) return
    this.socket.write(closeFrame(code, reason, this.name === 'upstream'))
  }
}
