import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { RunDetail, RunStepDetail, Verdict } from '@gatehouse/contract'
import { useState } from 'react'
import { outcomeWords, unknownSentence } from '../../entities/run/run-words.ts'
import { useCan } from '../../lib/session/session.tsx'
import { healingWords, inquiryWords } from './inquiry-words.ts'
import { ResolveDocumentsDialog } from './resolve/resolve-documents-dialog.tsx'
import { ResolveDialog } from './actions/resolve-dialog.tsx'
import { ResumeDialog } from './actions/resume-dialog.tsx'
import { StatusQueryDialog } from './actions/status-query-dialog.tsx'
import { useMaySend } from './actions/use-may-send.ts'

type Asked = 'status-query' | 'resend' | 'documents' | Verdict

/** What can be done about a step whose outcome is unknown, and what healing does (docs/runs/unclear.md). */
export function UnknownStep({ run, step }: { run: RunDetail; step: RunStepDetail }) {
  const [asked, setAsked] = useState<Asked>()
  const can = useCan()
  const maySend = useMaySend(run)
  const close = () => setAsked(undefined)
  const may = {
    ask: step.can.status_query && can('run.resolve'),
    resend: step.can.resend && can('run.resume'),
    resolve: step.can.resolve && can('run.resolve'),
  }
  const button = (to: Asked, label: string) => (
    <Button variant="default" size="xs" onClick={() => setAsked(to)}>
      {label}
    </Button>
  )
  return (
    <Alert
      color="yellow"
      title={step.state === 'unknown' ? unknownSentence : outcomeWords.duplicate}
      icon={<IconAlertTriangle aria-hidden />}
      mb="sm"
    >
      <Stack gap="xs">
        <Text size="sm">{adviceOf(may)}</Text>
        {step.healing && <Text size="sm">{healingWords(step.healing)}</Text>}
        {may.ask && step.inquiry && <Text size="sm">{inquiryWords(step.inquiry)}</Text>}
        {(may.ask || may.resend || may.resolve) && (
          <Group gap="xs">
            {may.ask && button('status-query', 'Ask what became of it')}
            {may.resend && button('resend', 'Send the same again')}
            {may.resolve &&
              step.received_asks !== 'documents' &&
              button('received', 'It was received')}
            {may.resolve &&
              step.received_asks !== 'nothing' &&
              button('documents', 'Say what became of each document')}
            {may.resolve &&
              button(
                'not_received',
                maySend ? 'It was not received: send again' : 'It was not received',
              )}
          </Group>
        )}
      </Stack>
      <StatusQueryDialog run={run} step={step} isOpen={asked === 'status-query'} onClose={close} />
      <ResumeDialog
        run={run}
        step={asked === 'resend' ? step.position : undefined}
        isResend
        onClose={close}
      />
      <ResolveDocumentsDialog
        run={run}
        step={step}
        isOpen={asked === 'documents'}
        onClose={close}
      />
      <ResolveDialog
        run={run}
        step={step}
        verdict={asked === 'received' || asked === 'not_received' ? asked : undefined}
        onClose={close}
      />
    </Alert>
  )
}

function adviceOf(may: { ask: boolean; resend: boolean; resolve: boolean }): string {
  if (may.ask) return 'The endpoint can be asked what became of it.'
  if (may.resend) return 'The endpoint takes the same request only once, so it may be sent again.'
  if (may.resolve) {
    return 'Find out at the receiver, in its portal for example, and say here what you found.'
  }
  return 'A user whose role can settle unknown outcomes has to say what became of it.'
}
