// How a step shows itself: one line with its name, what was done and how long it took.

/** A step that did not succeed. Its message is all that is shown: no stack. */
export class StepFailed extends Error {}

/**
 * Runs one step and prints its line. The work returns what to say of it; on a terminal the step's
 * name shows while it works. When it throws a StepFailed, the line says so, and what the programs
 * inside of it printed follows.
 *
 * @param {string} name
 * @param {() => Promise<string> | string} work
 */
export async function step(name, work) {
  const began = performance.now()
  const isTerminal = process.stdout.isTTY === true
  if (isTerminal) process.stdout.write(`${name.padEnd(14)} …`)
  try {
    line(name, await work(), began, isTerminal)
  } catch (error) {
    line(name, 'FAILED', began, isTerminal)
    throw error
  }
}

/**
 * @param {string} name
 * @param {string} text
 * @param {number} began
 * @param {boolean} isTerminal
 */
function line(name, text, began, isTerminal) {
  const seconds = ((performance.now() - began) / 1000).toFixed(2)
  process.stdout.write(`${isTerminal ? '\r\u001b[K' : ''}${name.padEnd(14)} ${text.padEnd(52)} ${seconds.padStart(7)} s\n`)
}
