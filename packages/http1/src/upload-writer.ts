import { UpstreamFailure } from '@gatehouse/upstream/http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

export interface UploadWatcher {
  /** The upstream does not take what is sent, or takes it again. */
  handleUploadStalled(isStalled: boolean): void
  handleUploadEnd(): void
  handleUploadFailure(failure: UpstreamFailure): void
}

/** Sends the body of a request, with back-pressure: with its length as it comes, without one in chunks. */
export class UploadWriter {
  readonly #socket: Socket
  readonly #body: Readable
  readonly #watcher: UploadWatcher
  readonly #length: number
  #sent = 0
  isEnded = false

  /** `length` -1: not known. */
  constructor(socket: Socket, body: Readable, length: number, watcher: UploadWatcher) {
    this.#socket = socket
    this.#body = body
    this.#length = length
    this.#watcher = watcher
    socket.on('drain', this.#handleDrain)
    body.on('data', this.#handleData).on('end', this.#handleEnd).on('error', this.#handleError)
  }

  /** What is left of the body is not wanted. */
  stop(): void {
    if (this.isEnded) return
    this.isEnded = true
    this.#detach()
    this.#body.destroy()
  }

  #detach(): void {
    this.#socket.off('drain', this.#handleDrain)
    this.#body.off('data', this.#handleData).off('end', this.#handleEnd)
  }

  readonly #handleData = (chunk: Buffer): void => {
    this.#sent += chunk.length
    if (chunk.length === 0) return
    if (this.#length !== -1 && this.#sent > this.#length) return this.#refuseLength()
    if (this.#write(chunk)) return
    this.#body.pause()
    this.#watcher.handleUploadStalled(true)
  }

  #write(chunk: Buffer): boolean {
    const socket = this.#socket
    if (this.#length !== -1) return socket.write(chunk)
    socket.cork()
    socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1')
    socket.write(chunk)
    const isTaken = socket.write('\r\n', 'latin1')
    socket.uncork()
    return isTaken
  }

  readonly #handleDrain = (): void => {
    this.#watcher.handleUploadStalled(false)
    this.#body.resume()
  }

  readonly #handleEnd = (): void => {
    if (this.#length !== -1 && this.#sent !== this.#length) return this.#refuseLength()
    this.isEnded = true
    this.#detach()
    if (this.#length === -1) this.#socket.write('0\r\n\r\n', 'latin1')
    this.#watcher.handleUploadEnd()
  }

  readonly #handleError = (error: Error): void => {
    if (this.isEnded) return
    this.#watcher.handleUploadFailure(new UpstreamFailure('aborted', 'the body broke off', error))
  }

  #refuseLength(): void {
    const failure = new UpstreamFailure('aborted', 'the body is not as long as it was said to be')
    this.#watcher.handleUploadFailure(failure)
  }
}
