import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '../../../lib/calls/call-error.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { DraftDifferences } from './draft-differences.tsx'
import { useDiscardDraft, usePublishDraft, type ApiWithDraft } from './draft-queries.ts'

interface DraftPanelProps {
  apiId: number
  api: ApiWithDraft['api']
  draft: NonNullable<ApiWithDraft['draft']>
}

/** The draft that is served now: what it changes, and how it ends. */
export function DraftPanel({ apiId, api, draft }: DraftPanelProps) {
  const [asked, setAsked] = useState<'publish' | 'discard' | null>(null)
  const count = draft.tokens.length
  return (
    <Panel
      id="draft"
      title="The draft"
      subtitle={
        <>
          Saved by <bdi>{draft.savedBy}</bdi> <Moment at={draft.savedAt} isRelative />. It serves{' '}
          {count === 1 ? '1 token' : `${count} tokens`}; all other callers get the settings in
          force.
        </>
      }
    >
      <Stack gap="md">
        {draft.isOutdated && (
          <Alert color="yellow" title="The API was changed since">
            The draft goes on serving its tokens, but can’t be published. Look at what differs, and
            save it again.
          </Alert>
        )}
        <DraftDifferences api={api} draft={draft.settings} />
        <Group gap="sm">
          <Button onClick={() => setAsked('publish')} disabled={draft.isOutdated}>
            Publish
          </Button>
          <Button variant="default" onClick={() => setAsked('discard')}>
            Discard
          </Button>
        </Group>
      </Stack>
      <PublishDialog
        apiId={apiId}
        version={draft.version}
        isOpen={asked === 'publish'}
        onClose={() => setAsked(null)}
      />
      <DiscardDialog apiId={apiId} isOpen={asked === 'discard'} onClose={() => setAsked(null)} />
    </Panel>
  )
}

interface EndProps {
  apiId: number
  isOpen: boolean
  onClose: () => void
}

function PublishDialog({ apiId, version, isOpen, onClose }: EndProps & { version: number }) {
  const publish = usePublishDraft(apiId)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Publish the draft?"
      confirmLabel="Publish draft"
      isHarmless
      isWorking={publish.isPending}
      failure={publish.error ? messageOf(publish.error) : undefined}
      onConfirm={() => publish.mutate(version)}
      onClose={onClose}
    >
      <Text size="sm">
        Its settings are in force for all callers at once. The history keeps those of now, and can
        bring them back.
      </Text>
    </ConfirmDialog>
  )
}

function DiscardDialog({ apiId, isOpen, onClose }: EndProps) {
  const discard = useDiscardDraft(apiId)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Discard the draft?"
      confirmLabel="Discard draft"
      isWorking={discard.isPending}
      failure={discard.error ? messageOf(discard.error) : undefined}
      onConfirm={() => discard.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        Its settings and secrets are deleted. Its tokens get the settings in force, as all others.
      </Text>
    </ConfirmDialog>
  )
}
