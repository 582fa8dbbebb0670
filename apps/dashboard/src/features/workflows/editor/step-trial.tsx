import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { Permission, WorkflowPreviewStep } from '@gatehouse/contract'
import { RunLink } from '../../../entities/run/run-link.tsx'
import { CallError, messageOf } from '../../../lib/calls/call-error.ts'
import { firstMessages } from '../../../lib/forms/field-errors.ts'
import { prettyJson } from '../../../lib/format/pretty-json.ts'
import { useCan } from '../../../lib/session/session.tsx'
import { JsonPane } from '../../../ui/json/json-pane.tsx'
import type { StepAnswer } from './step-answers.ts'
import type { StepRuns } from './use-step-runs.ts'

interface StepTrialProps {
  position: number
  result: WorkflowPreviewStep
  /** Of the endpoint; undefined while it is not known. */
  apiName: string | undefined
  runs: StepRuns
  answer: StepAnswer | undefined
  isStale: boolean
}

/** Runs the step on the sample where that does no harm, and shows what it answered. */
export function StepTrial({ position, result, apiName, runs, answer, isStale }: StepTrialProps) {
  const failure = runs.failure?.position === position ? runs.failure.error : undefined
  return (
    <Stack gap="xs" mt="xs">
      <Offer position={position} result={result} apiName={apiName} runs={runs} />
      {failure && <Refused error={failure} />}
      {answer && <Answer position={position} answer={answer} isStale={isStale} />}
    </Stack>
  )
}

function Offer({ position, result, apiName, runs }: Omit<StepTrialProps, 'answer' | 'isStale'>) {
  const can = useCan()
  const { what, runs_at } = result
  const lacking = neededFor(result).find((permission) => !can(permission))
  if (what === 'refused' || what === 'skip') return null
  if (runs_at === 'nowhere')
    return (
      <Text size="xs" c="dimmed">
        It changes something, and {apiName ?? 'its API'} has no test address: it is not sent from
        here.
      </Text>
    )
  if (lacking !== undefined)
    return (
      <Text size="xs" c="dimmed">
        To run it on the sample you need the permission <code>{lacking}</code>.
      </Text>
    )
  if (what === 'waits')
    return (
      <Text size="xs" c="dimmed">
        Run the earlier steps first: it takes values from what they answer.
      </Text>
    )
  return (
    <Group gap="xs">
      <Button
        variant="light"
        size="compact-sm"
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        loading={runs.running === position}
        disabled={runs.running !== undefined}
        onClick={() => runs.run(position)}
      >
        Run step {position} on the sample
      </Button>
      <Text size="xs" c="dimmed">
        {runs_at === 'test'
          ? `To the test address of ${apiName ?? 'its API'}.`
          : 'To its own address: it only reads.'}
      </Text>
    </Group>
  )
}

const neededFor = ({ runs_at, effect }: WorkflowPreviewStep): Permission[] => [
  'request.fetch',
  ...(runs_at === 'test' ? (['tax.test'] as const) : []),
  ...(effect === 'read' ? [] : (['request.send'] as const)),
]

function Answer({
  position,
  answer,
  isStale,
}: Pick<StepTrialProps, 'position' | 'isStale'> & { answer: StepAnswer }) {
  const { run, status, took_ms, body, is_whole } = answer
  const isTaken = run.state === 'succeeded'
  return (
    <Stack gap={6} component="section" aria-label={`What step ${position} answered`}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          Answer
        </Text>
        <Badge variant="light" color={isTaken ? 'green' : 'red'} miw="max-content">
          {status ?? 'none'}
        </Badge>
        {took_ms !== null && (
          <Text size="xs" c="dimmed">
            in {Math.round(took_ms)} ms
          </Text>
        )}
        <Text size="xs" c="dimmed">
          <RunLink id={run.id} />
        </Text>
      </Group>
      {isStale && (
        <Text size="xs" c="dimmed">
          The step or the sample has changed since. Run it again for a new answer.
        </Text>
      )}
      {!isTaken && (
        <Text size="sm" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
          {run.steps[0]?.message ?? 'The step did not succeed.'} Later steps take nothing from it.
        </Text>
      )}
      {!is_whole && (
        <Text size="xs" c="dimmed">
          Only the beginning is shown. Later steps can’t take values from an answer this long.
        </Text>
      )}
      {body !== null && body !== '' && (
        <JsonPane
          label={`Answer of step ${position} to the sample`}
          value={prettyJson(body)}
          minHeight={48}
          maxHeight="36vh"
        />
      )}
    </Stack>
  )
}

function Refused({ error }: { error: Error }) {
  const fields = error instanceof CallError ? Object.values(firstMessages(error.errors)) : []
  return (
    <Alert color="red" role="alert" p="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {fields.length > 0 ? fields.join(' ') : messageOf(error)}
      </Text>
    </Alert>
  )
}
