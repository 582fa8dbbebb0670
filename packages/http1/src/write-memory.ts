const pieceBytes = 64 * 1024
/** Pieces that are kept to be used again. */
const spareMax = 8

let piece: Buffer = Buffer.allocUnsafeSlow(pieceBytes)
let at = 0
/** What is before this in the piece belongs to sockets that have not passed it on. */
let ownedTo = 0
/** Filled since the last `settleMemory`, and nobody's by then if all is taken. */
const filled: Buffer[] = []
const spare: Buffer[] = []

/**
 * A part of a body with the text before and behind it, Latin-1 both, as one piece of memory that all
 * connections of the process share. It is to be handed to a socket at once, and stays as it is until
 * `settleMemory` says that what was handed over is taken.
 */
export function copyTogether(before: string, part: Buffer, behind: string): Buffer {
  const length = before.length + part.length + behind.length
  if (at + length > piece.length) takeNextPiece(length)
  const start = at
  at += length
  piece.write(before, start, 'latin1')
  piece.set(part, start + before.length)
  if (behind !== '') piece.write(behind, start + before.length + part.length, 'latin1')
  return piece.subarray(start, at)
}

/** `isTaken`: no socket holds anything of what was copied since the last time. What one still holds is left to it. */
export function settleMemory(isTaken: boolean): void {
  if (isTaken) {
    at = ownedTo
    while (filled.length > 0 && spare.length < spareMax) spare.push(filled.pop() ?? piece)
  } else ownedTo = at
  filled.length = 0
}

function takeNextPiece(length: number): void {
  if (ownedTo === 0 && piece.length === pieceBytes) filled.push(piece)
  const isUsual = length <= pieceBytes
  piece =
    (isUsual ? spare.pop() : undefined) ?? Buffer.allocUnsafeSlow(isUsual ? pieceBytes : length)
  at = 0
  ownedTo = 0
}
