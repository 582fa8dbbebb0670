import { effectOf } from '@gatehouse/contract'
import { runProfiles } from '@gatehouse/contract/run-profiles'
import type { FieldErrors, WorkflowInput, WorkflowStep } from '@gatehouse/contract'
import type { AddressGuard } from '@gatehouse/upstream'
import { fieldError } from '../../../kernel/app-error.ts'
import type { Caller } from '../../../kernel/caller.ts'
import { formatOf } from '../../runs/steps/freeze-request.ts'
import { onlyJson } from '../../runs/steps/bodies/mapped-rows.ts'
import { readSource } from '../../runs/steps/bodies/step-body.ts'
import type { Target, Targets } from '../../runs/steps/target.ts'
import { exactText } from './exact-field.ts'
import { schemaMaxBytes } from './schema-limits.ts'
import { schemaProblem } from './input-schemas.ts'
import type { CheckedDefinition } from './stored-definition.ts'

interface Usable {
  targets: Targets
  guard: AddressGuard
  caller: Caller
}

interface Checking extends Usable {
  /** The body of the call, in which the definition is found at `at`. */
  bodyText: string
  at: readonly string[]
}

/**
 * What can be saved of a definition that its form has passed. Throws a 422 that names all problems at
 * once: endpoints that the caller can't call, bodies that can't be read, a schema that can't be used.
 */
export async function checkDefinition(
  { version: _version, callback, ...input }: WorkflowInput,
  { targets, guard, caller, bodyText, at }: Checking,
): Promise<CheckedDefinition> {
  const textAt = (field: 'input_schema' | 'sample_input') =>
    exactText(input[field], bodyText, [...at, field])
  const definition = {
    ...input,
    callback: callback ? { url: callback.url } : null,
    input_schema: textAt('input_schema'),
    sample_input: textAt('sample_input'),
  }
  await refuseUnusable(
    definition,
    { targets, guard, caller },
    at.map((each) => `${each}.`).join(''),
  )
  return definition
}

/** The checks that a version brought back has to pass again. */
export async function refuseUnusable(
  {
    steps,
    reference_path,
    input_schema,
    sample_input,
    inputs_per_run,
    callback,
  }: CheckedDefinition,
  { targets, guard, caller }: Usable,
  prefix = '',
): Promise<void> {
  const errors: FieldErrors = {}
  const refuse = (field: string, message: string | undefined) => {
    if (message !== undefined) errors[prefix + field] = [message]
  }
  for (const [index, step] of steps.entries()) {
    const { field, message } = await stepProblem(step, index, targets, caller)
    refuse(`steps.${index}.${field}`, message)
  }
  const open = reference_path === '' ? undefined : await unguardedStep(steps, targets, caller)
  if (open !== undefined) refuse(`steps.${open}.endpoint_id`, unguarded)
  refuse('inputs_per_run', await groupingFault(steps[0], inputs_per_run, targets, caller))
  refuse('callback.url', callbackFault(callback, guard))
  refuse('input_schema', await schemaFault(input_schema))
  if (sample_input !== null && Buffer.byteLength(sample_input) > sampleMaxBytes)
    refuse('sample_input', 'The sample may not be larger than 1 MiB.')
  if (Object.keys(errors).length > 0) throw fieldError(errors)
}

const callbackFault = (callback: CheckedDefinition['callback'], guard: AddressGuard) => {
  const url = callback ? URL.parse(callback.url) : null
  return url ? guard.literalRefusal(url) : undefined
}

/** Throws a 422 where results may not be sent to the address of the callback. */
export function refuseCallback(
  { callback }: Pick<CheckedDefinition, 'callback'>,
  guard: AddressGuard,
): void {
  const message = callbackFault(callback, guard)
  if (message !== undefined) throw fieldError({ 'callback.url': [message] })
}

const sampleMaxBytes = 1024 * 1024

async function stepProblem(
  { endpoint_id, body }: WorkflowStep,
  index: number,
  targets: Targets,
  caller: Caller,
) {
  const found = await targets.find(endpoint_id, caller)
  if (!found.ok) return { field: 'endpoint_id', message: found.message }
  const format = formatOf(found.target)
  if (body.kind === 'mapping')
    return { field: 'body.rows', message: format === 'json' ? undefined : onlyJson }
  const text = body.kind === 'template' ? body.text : ''
  const read = readSource(index + 1, text, null, format, true)
  return { field: 'body.text', message: read.ok ? undefined : read.message }
}

/** The first step that submits, where none of them reads a reference. */
async function unguardedStep(
  steps: readonly WorkflowStep[],
  targets: Targets,
  caller: Caller,
): Promise<number | undefined> {
  let first: number | undefined
  for (const [index, { endpoint_id }] of steps.entries()) {
    const found = await targets.find(endpoint_id, caller)
    if (!found.ok || effectOf(found.target.settings, found.target.method) !== 'submit') continue
    if (isGuarded(found.target)) return undefined
    first ??= index
  }
  return first
}

/**
 * It reads a reference from its body. The bodies of some authorities hold none that can be read; their profiles say
 * so by having no path.
 */
const isGuarded = ({ settings }: Target) =>
  settings.reference_path !== '' ||
  settings.documents !== null ||
  profilesWithoutReference.has(settings.profile)

const profilesWithoutReference: ReadonlySet<string> = new Set(
  runProfiles.flatMap(({ name, settings }) =>
    settings.reference_path === '' && !settings.documents ? [name] : [],
  ),
)

const unguarded =
  'This workflow has a reference path, and no endpoint that it submits to reads a reference, so nothing keeps it from sending a document twice. Enter the document reference path in the run settings of the endpoint.'

async function groupingFault(
  first: WorkflowStep | undefined,
  inputsPerRun = 1,
  targets: Targets,
  caller: Caller,
): Promise<string | undefined> {
  if (inputsPerRun === 1 || !first) return undefined
  const found = await targets.find(first.endpoint_id, caller)
  return !found.ok || found.target.settings.documents
    ? undefined
    : 'The endpoint of the first step takes one document: its run settings name no list of several.'
}

async function schemaFault(schema: string | null): Promise<string | undefined> {
  if (schema === null) return undefined
  if (Buffer.byteLength(schema) > schemaMaxBytes)
    return `A schema may not be larger than ${schemaMaxBytes / 1024} KiB.`
  return schemaProblem(schema)
}
