import { Paper, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '../../lib/session/session.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { archiveMessages } from './archive-messages.ts'
import { archiveQueries } from './archive-queries.ts'
import classes from './archive.module.css'
import { FileList } from './file-list.tsx'
import { GrowthCard } from './growth-card.tsx'
import { KeptList } from './kept-list.tsx'
import { RetentionForm } from './retention-form.tsx'
import { RoundCard } from './round-card.tsx'
import { SearchCard } from './search-card.tsx'

/** What stays how long, the files that hold what went, and how both grow. */
export function ArchivePage() {
  const query = useQuery(archiveQueries.show())
  const can = useCan()
  return (
    <Page
      title="Archive"
      subtitle="Runs stay in the history for ever. What they sent and were answered goes to files after some days."
    >
      <QueryLoader query={query} failureText={archiveMessages.notLoaded}>
        {({ round, growth, settings, folder, kept }) => (
          <Stack gap="md">
            <RoundCard round={round} folder={folder} />
            <GrowthCard growth={growth} />
            <FileList roundEndedAt={round.ended_at} />
            <SearchCard />
            <RetentionForm
              key={JSON.stringify(settings)}
              settings={settings}
              canEdit={can('archive.edit')}
            />
            <Paper component="section" className={classes['card'] ?? ''}>
              <KeptList kept={kept} settings={settings} />
            </Paper>
          </Stack>
        )}
      </QueryLoader>
    </Page>
  )
}
