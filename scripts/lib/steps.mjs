// The line that a step prints: its name, what was done and how long it took.

/** A step that did not succeed. Its message is all that is shown: no stack. */
export class StepFailed extends Error {}

/** @type {NodeJS.WriteStream} */
let output = process.stdout

/** Steps print beside the output: that of the command may be read by a program. */
export function printBesideOutput() {
  output = process.stderr
}

/**
 * Runs one step and prints its line, with the last text that the work reported. On a terminal the name
 * of the step is shown while it works. A step that throws prints FAILED and throws on.
 *
 * @template T
 * @param {string} name
 * @param {(say: (text: string) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(name, work) {
  const began = performance.now()
  const isTerminal = output.isTTY
  if (isTerminal) output.write(`${name.padEnd(nameWidth)} …`)
  const eraseName = isTerminal ? '\r\u001b[K' : ''
  try {
    let said = ''
    const result = await work((text) => (said = text))
    printLine(name, said, began, eraseName)
    return result
  } catch (error) {
    printLine(name, 'FAILED', began, eraseName)
    throw error
  }
}

/**
 * @param {string} name
 * @param {string} text
 * @param {number} began as performance.now() gave it
 * @param {string} [before]
 */
export function printLine(name, text, began, before = '') {
  const seconds = ((performance.now() - began) / 1000).toFixed(2)
  output.write(`${before}${name.padEnd(nameWidth)} ${text.padEnd(52)} ${seconds.padStart(7)} s\n`)
}

const nameWidth = 16
