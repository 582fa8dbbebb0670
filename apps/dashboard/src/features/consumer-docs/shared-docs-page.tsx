import { Alert, Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { consumerDocsQueries, fetchSharedOpenApi } from './consumer-docs-queries.ts'
import { DocsActions } from './docs-actions.tsx'
import { DocsView } from './docs-view.tsx'
import { titleWords } from './docs-title.ts'
import classes from './consumer-docs.module.css'

/**
 * The docs of a role for those who hold its link, without an account. The link is behind `#`, which
 * browsers send to no server.
 */
export function SharedDocsPage() {
  const link = useLocation().hash.slice(1)
  const docs = useQuery(consumerDocsQueries.shared(link))
  const [failure, setFailure] = useState<string>()
  useDocumentTitle('API docs')
  useNoIndex()
  return (
    <main className={classes['public']}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <div>
            <Title order={1} size="h2">
              API docs
            </Title>
            <Text size="sm" c="dimmed">
              {docs.data ? titleWords(docs.data.title) : 'Shared by a link'}
            </Text>
          </div>
          <Group gap="sm">
            <DocsActions
              fetchFile={(format) => fetchSharedOpenApi(link, format)}
              onFailure={setFailure}
              isDisabled={!docs.isSuccess}
            />
          </Group>
        </Group>
        {failure !== undefined && (
          <Alert color="red" role="alert" title="The document could not be downloaded.">
            {failure}
          </Alert>
        )}
        <QueryLoader query={docs} failureText="These docs can’t be shown.">
          {(found) => (
            <DocsView docs={found} emptyText="The role of this link has access to no endpoint." />
          )}
        </QueryLoader>
      </Stack>
    </main>
  )
}

/** Search engines that came here by a link keep nothing of it. */
function useNoIndex() {
  useEffect(() => {
    const meta = document.createElement('meta')
    meta.name = 'robots'
    meta.content = 'noindex, nofollow'
    document.head.append(meta)
    return () => meta.remove()
  }, [])
}
