import type { Socket } from 'node:net'
import { copyTogether, settleMemory } from './write-memory.ts'

/** A part of a body that is not longer than this is copied behind its head: one write of one piece. */
export const copiedBytesMax = 32 * 1024

/** With more, the first would wait too long while the rest of a turn is dealt with. */
const heldMax = 32

const held: Socket[] = []
let isPlanned = false

/**
 * Writes a text, Latin-1, in a burst with what is written to other sockets in this turn of the event loop. Each write
 * wakes its reader if that sleeps: of writes in a row, most find theirs awake. False: the socket holds more than it
 * wants to.
 */
export function writeHeld(socket: Socket, text: string): boolean {
  hold(socket)
  return socket.write(text, 'latin1')
}

/** The same for a part of a body, of at most `copiedBytesMax`, with the text before and behind it. `part` is not kept: its memory may be used again. */
export function writeCopied(socket: Socket, before: string, part: Buffer, behind: string): boolean {
  hold(socket)
  return socket.write(copyTogether(before, part, behind))
}

/** To be called before a socket is destroyed: what was written leaves first. */
export function releaseHeld(socket: Socket): void {
  while (socket.writableCorked > 0) socket.uncork()
}

function hold(socket: Socket): void {
  if (held.length === heldMax) burst()
  socket.cork()
  held.push(socket)
  if (isPlanned) return
  isPlanned = true
  setImmediate(endTurn)
}

function endTurn(): void {
  isPlanned = false
  burst()
}

function burst(): void {
  let isTaken = true
  for (const socket of held) {
    socket.uncork()
    if (socket.writableLength > 0) isTaken = false
  }
  held.length = 0
  settleMemory(isTaken)
}
