import { readFileSync } from 'node:fs'

// `npm run build` looks for this URL, and puts in that of the built folder.
const packageFile = new URL('../../../../package.json', import.meta.url)

export const productVersion = (): string =>
  (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version
