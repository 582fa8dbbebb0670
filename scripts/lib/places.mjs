import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The top folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** @param {string[]} parts */
export const inRoot = (...parts) => path.join(root, ...parts)

/** What the scripts leave behind between runs: stamps, the set-up lock. Never committed. */
export const stampFolder = inRoot('.stamps')
