import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnSession } from '@gatehouse/contract'
import { ActionDialog } from '../../ui/dialog/action-dialog.tsx'
import { CardList, CardRow, Fact } from '../../ui/table/card-list.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { accountQueries, useEndSessions } from './account-queries.ts'
import { usersMessages } from './users-messages.ts'

/** The signed-in user's sessions, each with a button that ends it. */
export function OwnSessions() {
  const query = useQuery(accountQueries.sessions())
  const [asked, setAsked] = useState<OwnSession | 'others'>()
  const ending = useEndSessions()
  const hasOthers = query.data?.some((session) => !session.is_current) ?? false
  return (
    <FormCard
      title="Sessions"
      description="Where you are signed in. End what you do not recognise, and change your password."
    >
      <QueryLoader query={query} failureText={usersMessages.sessionsNotLoaded} isInCard>
        {(sessions) => (
          <CardList rows={sessions} emptyText="You have none.">
            {(session) => <SessionRow key={session.id} session={session} onEnd={setAsked} />}
          </CardList>
        )}
      </QueryLoader>
      {hasOthers && (
        <Group>
          <Button variant="default" onClick={() => setAsked('others')}>
            End all other sessions
          </Button>
        </Group>
      )}
      <ActionDialog
        row={asked}
        texts={asked === 'others' ? usersMessages.endSessions : usersMessages.endSession}
        renderConsequences={(which) => <WhatEnds which={which} />}
        perform={(which) => ending.mutateAsync(which === 'others' ? which : which.id)}
        onClose={() => setAsked(undefined)}
      />
    </FormCard>
  )
}

interface SessionRowProps {
  session: OwnSession
  onEnd: (session: OwnSession) => void
}

function SessionRow({ session, onEnd }: SessionRowProps) {
  const { address, user_agent, created_at, last_used_at, is_current } = session
  const device = deviceWords(user_agent)
  return (
    <CardRow
      name={device}
      title={user_agent}
      marks={is_current && <Badge color="green">This session</Badge>}
      verbs={
        !is_current && (
          <Button variant="subtle" color="red" size="compact-sm" onClick={() => onEnd(session)}>
            End<VisuallyHidden> the session of {device}</VisuallyHidden>
          </Button>
        )
      }
    >
      <Text size="xs" c="dimmed">
        {address} ·{' '}
        <Fact>
          signed in <Moment at={created_at} isRelative /> ·
        </Fact>{' '}
        <Fact>
          last used <Moment at={last_used_at} isRelative />
        </Fact>
      </Text>
    </CardRow>
  )
}

function WhatEnds({ which }: { which: OwnSession | 'others' }) {
  return (
    <Text size="sm">
      {which === 'others' ? (
        'Everybody who is signed in as you elsewhere is signed out at once. This session stays.'
      ) : (
        <>
          <b>{deviceWords(which.user_agent)}</b> at {which.address} is signed out at once.
        </>
      )}
    </Text>
  )
}

// The first that fits counts: browsers call themselves what others are called, too.
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Headless Chrome'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const shownLength = 60

/** A User-Agent header in words: "Firefox on Linux". What is not recognised is shown as it came, shortened. */
export function deviceWords(userAgent: string): string {
  const nameIn = (table: readonly (readonly [RegExp, string])[]) =>
    table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  if (browser && system) return `${browser} on ${system}`
  if (browser ?? system) return browser ?? system ?? ''
  if (userAgent === '') return 'Unknown device'
  return userAgent.length > shownLength ? `${userAgent.slice(0, shownLength)}…` : userAgent
}
