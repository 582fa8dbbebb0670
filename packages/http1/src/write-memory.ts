import type { Socket } from 'node:net'

/** A part of a body that is not longer than this is copied behind its head: one write of one piece. */
export const copiedBytesMax = 32 * 1024

const pieceBytes = 64 * 1024

let piece = Buffer.allocUnsafeSlow(pieceBytes)
let at = 0

/**
 * Writes a part of a body with the text before and behind it, Latin-1 both, as one piece. `part` is
 * not kept: its memory may be used again. False: the socket holds more than it wants to.
 *
 * The piece comes out of memory that all connections of the process share. Most sockets have passed
 * it on when `write` returns, and the next write uses the same memory; what a socket still holds is
 * left to it.
 */
export function writeCopied(socket: Socket, before: string, part: Buffer, behind: string): boolean {
  const length = before.length + part.length + behind.length
  if (at + length > piece.length) {
    piece = Buffer.allocUnsafeSlow(Math.max(pieceBytes, length))
    at = 0
  }
  const start = at
  piece.write(before, start, 'latin1')
  piece.set(part, start + before.length)
  if (behind !== '') piece.write(behind, start + before.length + part.length, 'latin1')
  const isTaken = socket.write(piece.subarray(start, start + length))
  if (socket.writableLength > 0) at = start + length
  return isTaken
}
