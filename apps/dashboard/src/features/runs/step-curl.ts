import type { RunStepDetail } from '@gatehouse/contract'

/**
 * A command line that sends what a step sent; `$TOKEN` stands for the credential, which is kept
 * nowhere. Undefined where nothing was frozen, or where the body is too long to be shown whole.
 */
export function stepCurl(step: RunStepDetail): string | undefined {
  if (step.url === null || step.body?.is_whole === false) return undefined
  const lines = [`curl -X ${step.method} ${quote(step.url)}`]
  for (const [name, value] of Object.entries(step.headers)) {
    lines.push(`-H ${quote(`${name}: ${value}`)}`)
  }
  if (step.has_credential) lines.push('-H "Authorization: Bearer $TOKEN"')
  if (step.body !== null && step.body.text !== '')
    lines.push(`--data-binary ${quote(step.body.text)}`)
  return lines.join(' \\\n  ')
}

/** Single quotes hold everything for a shell but themselves. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
