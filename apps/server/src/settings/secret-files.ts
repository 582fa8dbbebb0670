import { readFileSync } from 'node:fs'

/**
 * Settings that are secrets may come as files, which containers and service managers hand over: where
 * `APP_KEY_FILE` is set, `APP_KEY` is what that file holds, without white space around it. Names that are not
 * secrets have no such form. A file that can't be read, is empty, or is set beside its value is
 * refused.
 */
export function withSecretFiles(
  environment: NodeJS.ProcessEnv,
  names: Iterable<string>,
  refuse: (name: string, value: string, allowed: string) => never,
): NodeJS.ProcessEnv {
  const read = { ...environment }
  for (const name of names) {
    const file = environment[`${name}_FILE`]?.trim()
    if (!file) continue
    if (environment[name]?.trim()) refuse(`${name}_FILE`, file, `${name} is set too: set one`)
    read[name] = readSecret(file, (why) => refuse(`${name}_FILE`, file, why))
  }
  return read
}

function readSecret(file: string, refuse: (why: string) => never): string {
  let text = ''
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    refuse(`it can't be read (${(error as NodeJS.ErrnoException).code})`)
  }
  return text === '' ? refuse('the file is empty') : text
}
