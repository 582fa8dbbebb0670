import { readFileSync } from 'node:fs'

/** A process and all that come from it, parents first. Linux alone. */
function treeOf(pid: number): number[] {
  let children = ''
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  } catch {
    // It has ended.
  }
  return [
    pid,
    ...children
      .split(' ')
      .filter(Boolean)
      .flatMap((child) => treeOf(Number(child))),
  ]
}

/** Sends the signal to a process and to all that come from it; those that have ended meanwhile are left out. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  for (const each of treeOf(pid)) {
    try {
      process.kill(each, signal)
    } catch {
      // It has ended.
    }
  }
}
