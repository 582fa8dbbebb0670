import { Stack, Title } from '@mantine/core'
import type { RunDetail, RunRelease as Asked } from '@gatehouse/contract'
import { lazy, Suspense, type ReactNode } from 'react'
import { Facts } from '../../../ui/text/facts.tsx'
import { Loading } from '../../../ui/page/loading.tsx'
import { Moment } from '../../../ui/text/moment.tsx'

// Few runs wait for a release: the others do without what compares two bodies.
const ReleasePreview = lazy(() =>
  import('./release-preview.tsx').then(({ ReleasePreview: Preview }) => ({ default: Preview })),
)

interface RunReleaseProps {
  run: RunDetail
  release: Asked
}

/** Who asked for a run that a person has to release, and what was decided; before that, what would be sent. */
export function RunRelease({ run, release }: RunReleaseProps) {
  return (
    <section aria-labelledby="run-release">
      <Stack gap="md">
        <Title order={3} id="run-release">
          Release by a person
        </Title>
        <Facts facts={factsOf(run, release)} />
        {run.state === 'waits_for_release' && (
          <Suspense fallback={<Loading />}>
            <ReleasePreview run={run} />
          </Suspense>
        )}
      </Stack>
    </section>
  )
}

function factsOf(run: RunDetail, release: Asked): [string, ReactNode][] {
  const { via, asked_by, expires_at, decision } = release
  const facts: [string, ReactNode][] = [
    [via === 'agent' ? 'Agent' : 'Token', asked_by],
    ['Its user', run.user_name],
  ]
  if (decision === null) facts.push(['Expires', <Moment key="expires" at={expires_at} />])
  else facts.push([decisionWords[decision], <Decided key="decided" release={release} />])
  return facts
}

const decisionWords: Record<NonNullable<Asked['decision']>, string> = {
  released: 'Released',
  refused: 'Refused',
  expired: 'Expired',
}

function Decided({ release: { decided_at, decided_by, note } }: { release: Asked }) {
  return (
    <>
      {decided_at !== null && <Moment at={decided_at} isRelative />}
      {decided_by !== null && <> · by {decided_by}</>}
      {note !== null && <div style={{ whiteSpace: 'pre-wrap' }}>“{note}”</div>}
    </>
  )
}
