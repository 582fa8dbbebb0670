import { Button, Text } from '@mantine/core'
import type { RunDetail, RunStepDetail } from '@gatehouse/contract'
import { useState } from 'react'
import { useCan } from '../../lib/session/session.tsx'
import { Facts } from '../../ui/text/facts.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import classes from './runs.module.css'
import { StatusQueryDialog } from './actions/status-query-dialog.tsx'

interface PendingStepProps {
  run: RunDetail
  step: RunStepDetail
  pending: NonNullable<RunStepDetail['pending']>
}

/** How the decision of the authority is asked for, and until when. */
export function PendingStep({ run, step, pending }: PendingStepProps) {
  const [isAsking, setIsAsking] = useState(false)
  const can = useCan()
  const { since, next_at, asked_at, tries, ask_by, problem, give_up_at } = pending
  return (
    <div className={classes['pending']}>
      <Facts
        facts={[
          ['Taken', <Moment key="since" at={since} />],
          [
            'Asked',
            tries === 0 || asked_at === null ? (
              'not yet'
            ) : (
              <Asked key="asked" at={asked_at} tries={tries} />
            ),
          ],
          ['Next question', <Moment key="next" at={next_at} />],
          ['Asked by', ask_by === null ? 'the document’s reference' : <bdi key="by">{ask_by}</bdi>],
          ['Gives up', <Moment key="end" at={give_up_at} />],
        ]}
      />
      {step.can.status_query && can('run.resolve') && (
        <Button variant="default" size="xs" mt="xs" onClick={() => setIsAsking(true)}>
          Ask now
        </Button>
      )}
      <StatusQueryDialog
        run={run}
        step={step}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
      />
      {problem !== null && (
        <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
          The last question brought no answer: {problem}
        </Text>
      )}
    </div>
  )
}

function Asked({ at, tries }: { at: string; tries: number }) {
  return (
    <>
      {tries === 1 ? 'once' : `${tries} times`}, last <Moment at={at} />
    </>
  )
}
