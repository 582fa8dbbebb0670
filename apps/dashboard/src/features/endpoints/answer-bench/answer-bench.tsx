import { Button, Group, Stack, Switch, Text, TextInput, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { JudgingInput, LastAnswer } from '@gatehouse/contract'
import { RunLink } from '../../../entities/run/run-link.tsx'
import { call } from '../../../lib/calls/call.ts'
import { CallError, messageOf, reasonOf } from '../../../lib/calls/call-error.ts'
import { notifyError } from '../../../lib/page/notify.tsx'
import { useCan } from '../../../lib/session/session.tsx'
import { useMutation } from '../../../lib/calls/use-mutation.ts'
import { BenchVerdict } from './bench-verdict.tsx'
import type { EndpointFormState } from '../endpoint-form-values.ts'
import { toRunSettingsInput } from '../run-settings/run-settings-draft.ts'

interface BenchAnswer {
  status: string
  headers: string
  body: string
  is_resend: boolean
}

const pauseMs = 300

/** A rule that is half typed is no failure: what is wrong with it stands in place of the verdict. */
async function judge(body: JudgingInput, signal: AbortSignal) {
  try {
    return { judged: await call('POST /api/endpoint/judge', { body, signal }), refusal: '' }
  } catch (error) {
    if (error instanceof CallError && error.status === 422)
      return { judged: undefined, refusal: reasonOf(error) }
    throw error
  }
}

const judgements = (body: JudgingInput) =>
  queryOptions({
    queryKey: ['judged-answer', body] as const,
    queryFn: ({ signal }) => judge(body, signal),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  })

/** Tries the rules of the form, saved or not, on an answer: what a run would make of it, and why. */
export function AnswerBench({ form }: { form: EndpointFormState }) {
  const [answer, setAnswer] = useState<BenchAnswer>({
    status: '200',
    headers: '',
    body: '',
    is_resend: false,
  })
  const [source, setSource] = useState<LastAnswer | null>()
  const { method_type, api_id, run_settings } = form.values
  const input = {
    ...answer,
    method_type,
    ...(api_id === '' ? {} : { api_id }),
    run_settings: toRunSettingsInput(run_settings),
  }
  const [settled] = useDebouncedValue(JSON.stringify(input), pauseMs)
  const query = useQuery(judgements(JSON.parse(settled) as JudgingInput))
  const problem = query.isError ? messageOf(query.error) : query.data?.refusal
  const change = (changes: Partial<BenchAnswer>) => {
    setSource(undefined)
    setAnswer({ ...answer, ...changes })
  }
  const handleTaken = (last: LastAnswer | null) => {
    if (last && last.body !== null) setAnswer(toBench(last, last.body))
    setSource(last)
  }
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Paste an answer, or take the last one. The rules above judge it as a run would, also before
        they are saved. Nothing is sent or kept.
      </Text>
      <TakeLast onTake={handleTaken} />
      {source !== undefined && <Source last={source} />}
      <Group gap="md" align="flex-end">
        <TextInput
          label="Status of the answer"
          inputMode="numeric"
          w={160}
          value={answer.status}
          onChange={(event) => change({ status: event.currentTarget.value })}
        />
        <Switch
          label="The same bytes were sent before"
          checked={answer.is_resend}
          onChange={(event) => change({ is_resend: event.currentTarget.checked })}
        />
      </Group>
      <Lines
        label="Headers of the answer"
        placeholder="Retry-After: 120"
        rows={2}
        value={answer.headers}
        onChange={(headers) => change({ headers })}
      />
      <Lines
        label="Body of the answer"
        placeholder='{"status":"ACCEPTED"}'
        rows={8}
        value={answer.body}
        onChange={(body) => change({ body })}
      />
      {problem !== undefined && problem !== '' && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {problem}
        </Text>
      )}
      {!query.isError && query.data?.judged && <BenchVerdict judged={query.data.judged} />}
    </Stack>
  )
}

function toBench({ status, headers, is_resend }: LastAnswer, body: string): BenchAnswer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return { status: String(status), headers: lines.join('\n'), body, is_resend }
}

/** For users who may see runs, once the endpoint exists. */
function TakeLast({ onTake }: { onTake: (last: LastAnswer | null) => void }) {
  const id = Number(useParams()['id'])
  const can = useCan()
  const take = useMutation({
    mutationFn: () => call('GET /api/endpoint/:id/last-answer', { params: { id } }),
    onSuccess: onTake,
    onError: (error) => notifyError(messageOf(error)),
  })
  if (!Number.isInteger(id) || !can('run.view')) return null
  return (
    <Group>
      <Button variant="default" size="xs" loading={take.isPending} onClick={() => take.mutate()}>
        Take the last answer
      </Button>
    </Group>
  )
}

function Source({ last }: { last: LastAnswer | null }) {
  if (!last) return <Text size="sm">No run has an answer of this endpoint.</Text>
  return (
    <Text size="sm">
      {last.body === null ? 'Its body is too long to be tried: ' : 'From '}
      <RunLink id={last.run_id} />, step {last.position}
    </Text>
  )
}

interface LinesProps {
  label: string
  placeholder: string
  rows: number
  value: string
  onChange: (text: string) => void
}

function Lines({ label, placeholder, rows, value, onChange }: LinesProps) {
  return (
    <Textarea
      label={label}
      placeholder={placeholder}
      rows={rows}
      spellCheck={false}
      dir="ltr"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  )
}
