// `npm run proof` and `npm run bench`: lists what is in the folder of that name, or runs one of it.

import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { inRoot } from './places.mjs'
import { runInForeground } from './processes.mjs'

/**
 * @param {'proof' | 'bench'} folder
 * @param {string[]} args the name of the script, then its own arguments
 * @param {() => Promise<import('./processes.mjs').Node>} prepare
 */
export async function runNamedScript(folder, [name, ...args], prepare) {
  const files = existsSync(inRoot(folder)) ? readdirSync(inRoot(folder)) : []
  const scripts = new Map(
    files
      .filter((file) => /\.(ts|mjs)$/.test(file) && !/\.test\./.test(file))
      .map((file) => [path.parse(file).name, path.join(folder, file)]),
  )
  const script = scripts.get(name ?? '')
  if (script) return runInForeground([{ node: await prepare(), args: [script, ...args] }])

  if (name) console.error(`There is no ${folder} "${name}".`)
  console.log(
    scripts.size > 0 ? `npm run ${folder} -- <name>, one of:` : `Nothing in ${folder}/ yet.`,
  )
  for (const known of [...scripts.keys()].sort()) console.log(`  ${known}`)
  return name ? 2 : 0
}
