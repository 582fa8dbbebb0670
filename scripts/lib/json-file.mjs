import { readFileSync } from 'node:fs'

/**
 * What a JSON file holds, or an empty object when it is missing or broken: callers compare a field
 * of it with what they want, and make the file again when it differs.
 *
 * @param {string} file
 * @returns {any}
 */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
