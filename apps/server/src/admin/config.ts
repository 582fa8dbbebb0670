import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { applyConfiguration, diffConfiguration } from '@gatehouse/contract'
import type { z } from 'zod'
import { CommandError, UsageError, type AdminCommand, type CommandCall } from './command.ts'
import { ConfigClient } from './config-client.ts'

type Diff = z.output<(typeof diffConfiguration)['response']>
type Applied = z.output<(typeof applyConfiguration)['response']>

/** Exit codes: nothing to do or done, something was refused, there are differences. */
const [done, refused, differs] = [0, 1, 3]

const verbs = { export: exported, diff, apply } as const

/** The configuration of a running server as one YAML document, over its HTTP API. */
export const config: AdminCommand = {
  summary: 'Export, compare or apply the configuration of a running server as YAML',
  takes: ['<export|diff|apply>', '[file]'],
  options: {
    url: { value: '<url>', does: 'the server; else GATEHOUSE_URL, else http://localhost:3000' },
    prune: { does: 'remove what the document does not have, in the sections that it has' },
  },
  help: [
    'It signs in with GATEHOUSE_EMAIL and GATEHOUSE_PASSWORD, or goes by the session of GATEHOUSE_TOKEN.',
    'Secrets of the document are references: ${env:NAME} of this environment, ${file:PATH} of this machine.',
    'export writes the file, and replaces one that is there; without a file it prints the document.\n' +
      'Without a file, diff and apply read the document from their input.',
    'Exit codes: 0 nothing to do, or done; 1 something was refused; 3 (diff) there are differences.',
  ],
  run: async (call) => {
    const [verb = ''] = call.given
    if (!Object.hasOwn(verbs, verb))
      throw new UsageError(`"${verb}" is none of export, diff, apply.`)
    const { environment, options } = call
    const url = String(options['url'] ?? environment['GATEHOUSE_URL'] ?? 'http://localhost:3000')
    const token = environment['GATEHOUSE_TOKEN'] ?? ''
    const client = new ConfigClient(url, token)
    if (token === '') await signIn(client, call)
    try {
      return await verbs[verb as keyof typeof verbs](client, call)
    } finally {
      if (token === '') await client.signOut()
    }
  },
}

async function signIn(client: ConfigClient, { environment, askSecret }: CommandCall) {
  const email = environment['GATEHOUSE_EMAIL'] ?? ''
  if (email === '')
    throw new UsageError('Set GATEHOUSE_EMAIL and GATEHOUSE_PASSWORD, or GATEHOUSE_TOKEN.')
  const password =
    environment['GATEHOUSE_PASSWORD'] ?? (await askSecret?.(`Password of ${email}: `))
  if (password === undefined) throw new UsageError('Set GATEHOUSE_PASSWORD.')
  await client.signIn(email, password)
}

async function exported(client: ConfigClient, call: CommandCall): Promise<number> {
  const document = await client.call('GET', '/api/configuration')
  const [, file] = call.given
  if (file === undefined) call.say(document.trimEnd())
  else {
    writeText(placeOf(file, call), document)
    call.note(`${file} has the configuration.`)
  }
  return done
}

async function diff(client: ConfigClient, call: CommandCall): Promise<number> {
  const text = await client.call('POST', '/api/configuration/diff', await requestOf(call))
  const { things, references } = JSON.parse(text) as Diff
  const changed = things.filter(({ action }) => action !== 'same' && action !== 'stays')
  for (const { section, name, action, fields } of changed) {
    call.say(`${action.padEnd(6)} ${section}: ${name}`)
    for (const { field, before, after } of fields)
      call.say(`         ${field}: ${before ?? '-'} → ${after ?? '-'}`)
  }
  for (const { name, is_given } of references)
    if (!is_given) call.note(`\${${name}} has no value: the stored secret stays.`)
  if (changed.length === 0) call.note('There is nothing to do.')
  return changed.length === 0 ? done : differs
}

async function apply(client: ConfigClient, call: CommandCall): Promise<number> {
  const text = await client.call('POST', '/api/configuration/apply', await requestOf(call))
  const { results } = JSON.parse(text) as Applied
  for (const { section, name, action, ok, message } of results) {
    call.say(`${ok ? 'done   ' : 'refused'} ${action} ${section}: ${name}`)
    if (message !== '') call.say(`        ${message}`)
  }
  if (results.length === 0) call.note('There is nothing to do.')
  return results.every(({ ok }) => ok) ? done : refused
}

async function requestOf(call: CommandCall) {
  const [, file] = call.given
  const text = file === undefined ? await call.readInput() : readText(placeOf(file, call))
  const document = text.replace(npmBanner, (lines) => lines.replaceAll(/[^\n]/g, ''))
  if (document !== text)
    call.note(
      'The document begins with lines that npm printed. They do not count: export to a file by its name.',
    )
  return { document, values: valuesOf(document, call), prune: call.options['prune'] === true }
}

/** What `npm run` prints before the command does, where the output was led into a file. */
const npmBanner = /^\s*(?:> [^\n]*\n)+/

/** npm changes to the folder of its package; who types a path means the folder that they are in. */
const placeOf = (file: string, { environment }: CommandCall) =>
  resolve(environment['INIT_CWD'] ?? '.', file)

/** What the references of a document lead to here; those that lead nowhere have no value. */
function valuesOf(document: string, call: CommandCall): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [, kind, name = ''] of document.matchAll(/\$\{(env|file):([^{}]{1,200})\}/g)) {
    const value =
      kind === 'env' ? call.environment[name] : readText(placeOf(name, call)).replace(/\r?\n$/, '')
    if (value !== undefined && value !== '') values[`${kind}:${name}`] = value
  }
  return values
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandError(`${file} can’t be read: ${(error as Error).message}`)
  }
}

/** Whole or not at all: a file that was there is kept until the new one is. */
function writeText(file: string, text: string): void {
  const part = `${file}.part`
  try {
    writeFileSync(part, text)
    renameSync(part, file)
  } catch (error) {
    throw new CommandError(`${file} can’t be written: ${(error as Error).message}`)
  }
}
