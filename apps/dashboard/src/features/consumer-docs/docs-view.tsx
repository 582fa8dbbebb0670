import { Button, Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import type { ConsumerDocs, ServedApi } from '@gatehouse/contract'
import { useDeferredValue, useMemo, useState } from 'react'
import { Notice } from '../../ui/page/notice.tsx'
import { sampleLanguages, type SampleLanguage } from './call-samples.ts'
import { DocsGuide } from './docs-guide.tsx'
import { EndpointDocs } from './endpoint-docs.tsx'
import { titleWords } from './docs-title.ts'
import classes from './consumer-docs.module.css'

/** Endpoints that are drawn at first: a long document opens at once. */
const shownAtFirst = 50

/** What the gateway serves, to be read and printed. */
export function DocsView({ docs, emptyText }: { docs: ConsumerDocs; emptyText: string }) {
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  const [search, setSearch] = useState('')
  const [isWhole, setIsWhole] = useState(false)
  const wanted = useDeferredValue(search)
  const found = useMemo(() => matching(docs.apis, wanted), [docs, wanted])
  const shown = useMemo(() => (isWhole ? found : firstOf(found, shownAtFirst)), [found, isWhole])
  const count = countOf(found)
  if (docs.apis.length === 0) {
    return (
      <Notice title="Nothing to call yet">
        <Text size="sm" c="dimmed">
          {emptyText}
        </Text>
      </Notice>
    )
  }
  return (
    <Stack gap="lg">
      <DocsGuide docs={docs} />
      <Group gap="sm" justify="space-between" className={classes['tools'] ?? ''}>
        <TextInput
          type="search"
          aria-label="Find an endpoint"
          placeholder="Find an endpoint"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          w={{ base: '100%', xs: 280 }}
        />
        <SegmentedControl
          size="xs"
          aria-label="Language of the samples"
          data={[...sampleLanguages]}
          value={language}
          onChange={(value) => setLanguage(value)}
        />
      </Group>
      <Text size="sm" c="dimmed" aria-live="polite">
        {titleWords(docs.title)} · {count === 1 ? '1 endpoint' : `${count} endpoints`}
        {wanted.trim() !== '' && ` found for “${wanted.trim()}”`}
      </Text>
      {shown.map((api) => (
        <ApiDocs key={api.context} api={api} language={language} />
      ))}
      {countOf(shown) < count && (
        <Button
          className={classes['tools'] ?? ''}
          variant="default"
          onClick={() => setIsWhole(true)}
        >
          Show all {count} endpoints
        </Button>
      )}
    </Stack>
  )
}

function ApiDocs({ api, language }: { api: ServedApi; language: SampleLanguage }) {
  const notes = [
    ...(api.is_internal ? ['It can only be called from internal networks.'] : []),
    ...(api.asks_certificate
      ? ['Every call shows a client certificate of an authority that the API names.']
      : []),
    ...(api.rate_limit
      ? [`At most ${api.rate_limit.requests} requests in ${api.rate_limit.window_seconds} seconds.`]
      : []),
  ]
  const takesKey = api.key_header !== null && !api.is_signed
  const headingId = `api-${api.context}`
  return (
    <section aria-labelledby={headingId}>
      <Title order={3} fz="xl" id={headingId}>
        {api.name}
      </Title>
      {notes.length > 0 && (
        <Text size="sm" c="dimmed">
          {notes.join(' ')}
        </Text>
      )}
      {takesKey && (
        <Text size="sm" c="dimmed">
          The token may also come alone in the header <code dir="ltr">{api.key_header}</code>.
        </Text>
      )}
      <Stack gap="md" mt="sm">
        {api.endpoints.map((endpoint) => (
          <EndpointDocs
            key={`${endpoint.method_type} ${endpoint.url}`}
            endpoint={endpoint}
            isSigned={api.is_signed}
            language={language}
          />
        ))}
      </Stack>
    </section>
  )
}

const countOf = (apis: readonly ServedApi[]) =>
  apis.reduce((sum, { endpoints }) => sum + endpoints.length, 0)

/** The endpoints that have every word of the search. */
function matching(apis: readonly ServedApi[], search: string): ServedApi[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...apis]
  return apis.flatMap((api) => {
    const endpoints = api.endpoints.filter(({ method_type, url, summery, description }) => {
      const text = `${api.name} ${method_type} ${url} ${summery} ${description}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    return endpoints.length === 0 ? [] : [{ ...api, endpoints }]
  })
}

function firstOf(apis: readonly ServedApi[], max: number): ServedApi[] {
  let left = max
  return apis.flatMap((api) => {
    const endpoints = api.endpoints.slice(0, left)
    left -= endpoints.length
    return endpoints.length === 0 ? [] : [{ ...api, endpoints }]
  })
}
