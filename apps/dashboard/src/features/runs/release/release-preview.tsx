import { Alert, Badge, Button, Group, List, Stack, Text, Title } from '@mantine/core'
import { IconBan, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReleasePreview as Preview, RunDetail, WorkflowPreviewStep } from '@gatehouse/contract'
import { useState } from 'react'
import { RunLink } from '../../../entities/run/run-link.tsx'
import { runQueries } from '../../../entities/run/run-queries.ts'
import { diffLines } from '../../../lib/format/line-diff.ts'
import { prettyJson } from '../../../lib/format/pretty-json.ts'
import { serverWords } from '../../../lib/calls/server-words.tsx'
import { LineDiff } from '../../../ui/json/line-diff-view.tsx'
import { QueryLoader } from '../../../ui/page/query-loader.tsx'
import { KeptBody } from '../kept-body.tsx'
import { RefuseDialog, ReleaseDialog } from './release-dialogs.tsx'

/** What the run would send, how that differs from the last one, and the two decisions. */
export function ReleasePreview({ run }: { run: RunDetail }) {
  const query = useQuery(runQueries.release(run.id))
  return (
    <QueryLoader query={query} failureText="What would be sent could not be loaded.">
      {(preview) => (
        <Stack gap="md">
          <Problems preview={preview} />
          {preview.steps.map((step) => (
            <Step key={step.position} step={step} last={preview.last} />
          ))}
          {preview.last === null && (
            <Text size="sm" c="dimmed">
              {run.kind === 'call'
                ? 'No call of an agent to this endpoint has succeeded yet: there is nothing to compare with.'
                : 'No run of this workflow has succeeded yet: there is nothing to compare with.'}
            </Text>
          )}
          <Decisions run={run} preview={preview} />
        </Stack>
      )}
    </QueryLoader>
  )
}

/** As it is now, it can't be sent. */
function Problems({ preview }: { preview: Preview }) {
  const all = [preview.input_problems, ...preview.steps.map(({ problems }) => problems)]
  const messages = [...new Set(all.flatMap((each) => Object.values(each).flat()))]
  if (messages.length === 0) return null
  return (
    <Alert color="red" role="note" title="It can’t be sent as it is">
      <List size="sm" listStyleType="none">
        {messages.map((message) => (
          <List.Item key={message}>{serverWords(message)}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

const whatWords: Record<WorkflowPreviewStep['what'], string> = {
  send: 'Would be sent',
  waits: 'Waits for an answer',
  skip: 'Would be skipped',
  refused: 'Would be refused',
}

interface StepProps {
  step: WorkflowPreviewStep
  last: Preview['last']
}

function Step({ step, last }: StepProps) {
  const { position, endpoint_name, method, url, body, what } = step
  const before = last?.steps.find((each) => each.position === position)
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={4} size="sm">
          Step {position}: {endpoint_name}
        </Title>
        <Badge variant="light" color={what === 'refused' ? 'red' : 'gray'}>
          {whatWords[what]}
        </Badge>
      </Group>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }} dir="ltr">
        {method} {url ?? '…'}
      </Text>
      {body !== null && (
        <KeptBody
          label={`What step ${position} would send`}
          kept={{ text: body, bytes: new TextEncoder().encode(body).length, is_whole: true }}
        />
      )}
      {last && before && <Difference last={last} before={before} step={step} />}
    </Stack>
  )
}

interface DifferenceProps {
  step: WorkflowPreviewStep
  last: NonNullable<Preview['last']>
  before: NonNullable<Preview['last']>['steps'][number]
}

/** Of a step that takes from earlier answers only its template is known, which is no body to compare. */
function Difference({ step, last, before }: DifferenceProps) {
  if (step.what !== 'send') return null
  const lines = diffLines(textOf(before), textOf(step))
  if (lines.every(({ kind }) => kind === 'same')) {
    return (
      <Text size="sm">
        It is the same as <RunLink id={last.id} />, the last one that was accepted.
      </Text>
    )
  }
  return (
    <>
      <Text size="sm">
        What differs from <RunLink id={last.id} />, the last one that was accepted:
      </Text>
      <LineDiff label={`From run ${last.id} to this one`} lines={lines} />
    </>
  )
}

const textOf = ({
  method,
  url,
  body,
}: {
  method: string
  url: string | null
  body: string | null
}) => `${method} ${url ?? ''}\n${prettyJson(body ?? '')}`

function Decisions({ run, preview }: { run: RunDetail; preview: Preview }) {
  const [asked, setAsked] = useState<'release' | 'refuse'>()
  const close = () => setAsked(undefined)
  if (!preview.is_allowed) {
    return (
      <Text size="sm" c="dimmed">
        {serverWords(preview.refusal ?? '')}
      </Text>
    )
  }
  return (
    <Group gap="xs">
      <Button leftSection={<IconSend size={16} aria-hidden />} onClick={() => setAsked('release')}>
        Release this run
      </Button>
      <Button
        variant="default"
        leftSection={<IconBan size={16} aria-hidden />}
        onClick={() => setAsked('refuse')}
      >
        Refuse this run
      </Button>
      <ReleaseDialog
        run={run}
        content={preview.content}
        isOpen={asked === 'release'}
        onClose={close}
      />
      <RefuseDialog run={run} isOpen={asked === 'refuse'} onClose={close} />
    </Group>
  )
}
