import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/**
 * The name of a process and who started it. An empty name and 0 when that can't be known.
 *
 * @param {number} pid
 * @returns {Promise<{ name: string, ppid: number }>}
 */
export async function parentOf(pid) {
  // "12 (sh) S 11 …": the name may hold spaces and brackets, so the last bracket ends it (proc(5)).
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  const match = /^\d+ \((.*)\) \S (\d+)/s.exec(status ?? (await askPs(pid)))
  return { name: match?.[1] ?? '', ppid: Number(match?.[2] ?? 0) }
}

/** The same facts in the same form, where there is no /proc.
 * @param {number} pid
 * @returns {Promise<string>}
 */
function askPs(pid) {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], (error, output) => {
      const match = error ? null : /^\s*(\d+)\s+(.*\S)/.exec(output)
      resolve(match ? `${pid} (${match[2]}) S ${match[1]}` : '')
    })
  })
}
