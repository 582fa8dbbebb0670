import { Alert, Button, Group, Paper, Progress, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ArchiveRoundRecord } from '@gatehouse/contract'
import { useCan } from '../../lib/session/session.tsx'
import { Facts } from '../../ui/text/facts.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { phaseSentences, problemTitles } from './archive-messages.ts'
import { useArchiveNow } from './archive-queries.ts'
import classes from './archive.module.css'

interface RoundCardProps {
  round: ArchiveRoundRecord
  folder: string
}

/** The round under way, or the last and the next one. */
export function RoundCard({ round, folder }: RoundCardProps) {
  const isBusy = round.phase !== 'idle' || round.is_asked
  const count = (runs: number) => runs.toLocaleString('en')
  const facts = [
    round.started_at !== null &&
      (['Last began', <Moment key="began" at={round.started_at} isRelative />] as const),
    round.started_at !== null &&
      ([
        'It moved',
        round.runs_removed === 1 ? '1 run' : `${count(round.runs_removed)} runs`,
      ] as const),
    round.next_at !== null &&
      (['Next', <Moment key="next" at={round.next_at} isRelative />] as const),
    ['Folder', folder] as const,
  ].filter((fact) => fact !== false)
  return (
    <Paper component="section" className={classes['card'] ?? ''}>
      <Group justify="space-between" gap="sm" mb="xs">
        <div>
          <Title order={3}>Rounds</Title>
          <Text size="sm" c="dimmed" aria-live="polite">
            {round.is_asked && round.phase === 'idle'
              ? 'A round is about to begin.'
              : phaseSentences[round.phase]}
          </Text>
        </div>
        <NowButton isBusy={isBusy} />
      </Group>
      {round.problem && (
        <Alert
          color="red"
          mb="sm"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={problemTitles[round.problem.code]}
        >
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {round.problem.text} Nothing was removed that is not in a checked file.{' '}
            <Moment at={round.problem.at} isRelative />
          </Text>
        </Alert>
      )}
      {isBusy && round.runs_due > 0 && <RoundProgress round={round} />}
      <Facts facts={facts} />
    </Paper>
  )
}

function RoundProgress({
  round: { runs_due, runs_written, runs_removed },
}: Pick<RoundCardProps, 'round'>) {
  const part = Math.min(100, ((runs_written + runs_removed) / (2 * runs_due)) * 100)
  return (
    <>
      <Progress value={part} aria-label="Progress of the round" mb={4} />
      <Text size="sm" c="dimmed" mb="sm">
        {runs_written.toLocaleString('en')} of {runs_due.toLocaleString('en')} runs written,{' '}
        {runs_removed.toLocaleString('en')} removed from the database
      </Text>
    </>
  )
}

function NowButton({ isBusy }: { isBusy: boolean }) {
  const can = useCan()
  const now = useArchiveNow()
  if (!can('archive.edit')) return null
  return (
    <Button
      variant="default"
      loading={now.isPending}
      disabled={isBusy}
      onClick={() => now.mutate()}
    >
      Archive now
    </Button>
  )
}
