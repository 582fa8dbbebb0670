import type { ReactNode } from 'react'
import { Alert, Badge, Group, List, Stack, Text } from '@mantine/core'
import type { WorkflowPreviewStep } from '@gatehouse/contract'
import { prettyJson } from '../../../lib/format/pretty-json.ts'
import { JsonPane } from '../../../ui/json/json-pane.tsx'
import { resultWords } from './step-state.ts'
import { resultOf, type LivePreview } from './use-workflow-preview.ts'
import classes from './editor.module.css'

interface StepResultProps {
  position: number
  live: LivePreview
  /** The rows of a mapping are no body before the values are in. */
  isMapped: boolean
  /** Beneath what would be sent: what it answers. */
  trial?: ReactNode
}

/** What the step would send for the sample. */
export function StepResult({ position, live, isMapped, trial }: StepResultProps) {
  const result = resultOf(live, position)
  const problems = problemsOf(position, live, result)
  return (
    <section
      className={classes['result']}
      aria-label={`Result of step ${position}`}
      aria-busy={live.isFetching}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          Live result on the sample
        </Text>
        {result && <WhatBadge what={result.what} />}
      </Group>
      <Stack gap="xs" mt={4}>
        {result ? (
          <Request result={result} isMapped={isMapped} />
        ) : (
          <NoResult live={live} problems={problems} />
        )}
        {problems.length > 0 && (
          <Alert color="red" role="note" p="xs">
            <List size="sm" listStyleType="none">
              {problems.map((message) => (
                <List.Item key={message}>{message}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {trial}
      </Stack>
    </section>
  )
}

function WhatBadge({ what }: Pick<WorkflowPreviewStep, 'what'>) {
  const { word, color } = resultWords[what]
  return (
    <Badge color={color} variant="light" miw="max-content">
      {word}
    </Badge>
  )
}

interface RequestProps extends Pick<StepResultProps, 'isMapped'> {
  result: WorkflowPreviewStep
}

function Request({ result, isMapped }: RequestProps) {
  const { method, url, body, takes, condition, what, position } = result
  const isOpen = what === 'waits'
  return (
    <>
      {url !== null && (
        <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }} dir="ltr">
          {method} {url}
        </Text>
      )}
      {url === null && isOpen && (
        <Text size="xs" c="dimmed">
          The address is known once the earlier steps have answered.
        </Text>
      )}
      {takes.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Takes {takes.join(', ')} from earlier answers.
        </Text>
      )}
      {condition === 'open' && (
        <Text size="xs" c="dimmed">
          Whether it is sent depends on an earlier answer.
        </Text>
      )}
      {what === 'skip' && (
        <Text size="xs" c="dimmed">
          Its condition does not hold for the sample.
        </Text>
      )}
      {body !== null && body !== '' && !(isOpen && isMapped) && (
        <JsonPane
          label={`Body of step ${position}`}
          title={
            <Text size="xs" c="dimmed">
              {!isOpen ? 'Body' : 'Body, before values of answers are filled in'}
            </Text>
          }
          value={prettyJson(body)}
          minHeight={48}
          maxHeight="50vh"
        />
      )}
    </>
  )
}

function NoResult({ live, problems }: { live: LivePreview; problems: string[] }) {
  if (problems.length > 0) return null
  const { failure, isFetching, fieldProblems } = live
  const [other] = Object.values(fieldProblems)
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {isFetching
        ? 'Working it out…'
        : failure === undefined
          ? 'Choose an endpoint to see what would be sent.'
          : (other ?? failure)}
    </Text>
  )
}

/** What is wrong with the step, without the rows' problems, which are at the rows. */
function problemsOf(position: number, live: LivePreview, result: WorkflowPreviewStep | undefined) {
  const prefix = `steps.${position - 1}.`
  const ofStep = Object.entries(live.fieldProblems)
    .filter(([field]) => field.startsWith(prefix))
    .map(([, message]) => message)
  const ofResult = Object.values(result?.problems ?? {}).flat()
  return [...new Set([...ofStep, ...ofResult])]
}
