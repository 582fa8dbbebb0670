import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { CallInput, Routes, TryItAnswer } from '@gatehouse/contract'
import { CallError } from '../../lib/calls/call-error.ts'
import { firstMessages } from '../../lib/forms/field-errors.ts'
import { useUser } from '../../lib/session/session.tsx'
import { useMutation } from '../../lib/calls/use-mutation.ts'
import { keepTry, lastTriesOf } from './last-tries.ts'

interface TrialValues {
  params: Record<string, string>
  query: string
  headers: string
  body: string
  token: string
  as_token: number | null
  as_role: number | null
}

const definitionPrefix = 'definition.'

/** A request as the contract takes it, without what is tried. */
export type TrialRequest = Required<CallInput<Routes['POST /api/endpoint/:id/try']>['body']>

/** What is tried. */
export interface TrialSubject {
  /** Tries are kept as those of this endpoint; undefined: they are not kept. */
  endpointId: number | undefined
  /** With the names of its parameters. */
  path: string
  hasBody: boolean
  send: (request: TrialRequest) => Promise<TryItAnswer>
  /** Puts messages for fields of what is not saved under them. */
  showErrors: ((errors: Record<string, string>) => void) | undefined
}

/** What is typed to try an endpoint, what was tried, and what became of it. */
export function useTrial({ endpointId: id, path, send, showErrors: showInForm }: TrialSubject) {
  const user = useUser()
  const [tries, setTries] = useState(() => (id === undefined ? [] : lastTriesOf(user.id, id)))
  const form = useForm<TrialValues>({
    mode: 'controlled',
    initialValues: {
      params: {},
      query: '',
      headers: '',
      body: '',
      token: '',
      as_token: null,
      as_role: null,
    },
  })

  /** Messages of the definition belong to its form. */
  function showErrors(error: unknown) {
    if (!(error instanceof CallError) || error.status !== 422) return
    const messages = Object.entries(firstMessages(error.errors))
    const ofDefinition = messages.flatMap(([name, text]) =>
      name.startsWith(definitionPrefix) ? [[name.slice(definitionPrefix.length), text]] : [],
    )
    form.setErrors(
      Object.fromEntries(messages.filter(([name]) => !name.startsWith(definitionPrefix))),
    )
    if (ofDefinition.length > 0) showInForm?.(Object.fromEntries(ofDefinition))
  }

  const trial = useMutation({
    mutationFn: (values: TrialValues) => {
      form.clearErrors()
      return send({ ...values, params: known(values.params, namesIn(path)) })
    },
    onSuccess: ({ answer: { status } }, values) => {
      if (id === undefined) return
      const at = new Date().toISOString()
      keepTry(user.id, { endpointId: id, at, status, values })
      setTries(lastTriesOf(user.id, id))
    },
    onError: showErrors,
  })
  return { form, tries, trial }
}

/** The parameters of a path. */
export const namesIn = (path: string): string[] => [
  ...new Set([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')),
]

/** The path may have had other parameters when they were typed. */
export const known = (params: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, params[name] ?? '']))

/** Whether messages for fields of the definition came back. */
export const isOfDefinition = (error: unknown): boolean =>
  error instanceof CallError &&
  Object.keys(error.errors).some((name) => name.startsWith(definitionPrefix))
