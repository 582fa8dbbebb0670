import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { RunDetail } from '@gatehouse/contract'
import { useState } from 'react'
import { CallError } from '../../../lib/calls/call-error.ts'
import { firstMessages } from '../../../lib/forms/field-errors.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { LineDiff } from '../../../ui/json/line-diff-view.tsx'
import { CorrectStep } from './correct-step.tsx'
import {
  correctableSteps,
  describeKept,
  isCorrected,
  startOf,
  toRetryBody,
  diffBodies,
  type CorrectableStep,
  type Correction,
} from './correction.ts'
import { ActionTokenFields } from './action-token-fields.tsx'
import { noTokens } from './action-tokens.ts'
import { refusalText } from './run-toasts.ts'
import { useRetry } from './use-retry.ts'

interface CorrectDialogProps {
  run: RunDetail
  isOpen: boolean
  onClose: () => void
}

/** Corrected bodies are sent as a new run; what has changed is looked over before. */
export function CorrectDialog({ run, isOpen, onClose }: CorrectDialogProps) {
  return (
    <Dialog isOpen={isOpen} title="Retry with corrected bodies" onClose={onClose}>
      <CorrectForm run={run} onClose={onClose} />
    </Dialog>
  )
}

function CorrectForm({ run, onClose }: Omit<CorrectDialogProps, 'isOpen'>) {
  const steps = correctableSteps(run)
  const [corrections, setCorrections] = useState<Record<number, Correction>>({})
  const [tokens, setTokens] = useState(noTokens)
  const [isReview, setIsReview] = useState(false)
  const { begin, isBeginning, failure } = useRetry(run)
  const correctionOf = (step: CorrectableStep) => corrections[step.position] ?? startOf(step)
  const changed = steps.filter((step) => isCorrected(step, correctionOf(step)))
  const errors = failure instanceof CallError ? firstMessages(failure.errors) : {}
  const first = run.correct.kept_steps + 1

  async function handleSend() {
    await begin(toRetryBody(steps, corrections, tokens))
    setIsReview(false)
  }
  return (
    <Stack gap="md">
      <Text size="sm">
        It is sent as a new run, linked to this one. {describeKept(run.correct.kept_steps)}
        {run.steps.some(({ rejected_body }) => rejected_body !== null) &&
          ' Documents that were accepted are not in it.'}
      </Text>
      {failure !== undefined && (
        <Alert color="red" role="alert" title="Nothing was sent">
          {refusalText(failure)}
        </Alert>
      )}
      {!isReview &&
        steps.map((step) => (
          <CorrectStep
            key={step.position}
            step={step}
            correction={correctionOf(step)}
            onChange={(correction) =>
              setCorrections({ ...corrections, [step.position]: correction })
            }
            errors={errors}
          />
        ))}
      {!isReview && (
        <ActionTokenFields run={run} fromStep={first} tokens={tokens} onChange={setTokens} />
      )}
      {isReview &&
        changed.map((step) => <Changes key={step.position} step={step} now={correctionOf(step)} />)}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={isReview ? () => setIsReview(false) : onClose}>
          {isReview ? 'Back to the bodies' : 'Cancel'}
        </Button>
        {isReview ? (
          <Button loading={isBeginning} onClick={() => void handleSend()}>
            Send as a new run
          </Button>
        ) : (
          <Button disabled={changed.length === 0} onClick={() => setIsReview(true)}>
            Review the changes
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function Changes({ step, now }: { step: CorrectableStep; now: Correction }) {
  const before = step.oldDependency ?? ''
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        Step {step.position}: {step.endpointName}
      </Text>
      {now.dependency !== before && (
        <Text size="sm" mb={4}>
          Dependency field: <del>{before || 'none'}</del> → <ins>{now.dependency || 'none'}</ins>
        </Text>
      )}
      {now.body !== step.oldBody && (
        <LineDiff
          label={`Changes of step ${step.position}`}
          lines={diffBodies(step.oldBody, now.body)}
        />
      )}
    </div>
  )
}
