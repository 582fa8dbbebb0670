import { Stack, Button, Group, Text } from '@mantine/core'
import type { Permission } from '@gatehouse/contract'
import { useCallback, useState, type ReactNode } from 'react'
import { IconEye, IconSend } from '@tabler/icons-react'
import { SaveAsWorkflow } from '../../entities/workflow/save-as-workflow.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { UnresolvedFields, useHasUnresolved } from '../../ui/text/unresolved.tsx'
import { RepeatDialog } from '../../entities/run/repeat-dialog.tsx'
import type { BundleForm, BundleKind, BundleTokens } from './bundle-form.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { SendStatus, type RenderRun } from './send-status.tsx'
import { useBundleForm, type KeptBundle } from './use-bundle-form.ts'
import { useBundlePreview } from './use-bundle-preview.ts'
import { useBundleSending, type BundleSending } from './use-bundle-sending.ts'

export interface BundleFields {
  kept: KeptBundle
  sending: BundleSending
  tokens: BundleTokens
  setToken: (changes: Partial<BundleTokens>) => void
}

interface BundleFrameProps {
  kind: BundleKind
  label: string
  permission: Permission
  renderRun: RenderRun | undefined
  children: (fields: BundleFields) => ReactNode
}

const ownFields = /^endpoint_[1-4]\.(end_point|body|token|dependency_field|test_invoice)$/

/** What a tax and a credit bundle have in common: everything but their fields. */
export function BundleFrame({ kind, label, permission, renderRun, children }: BundleFrameProps) {
  const can = useCan()
  const kept = useBundleForm(kind)
  const sending = useBundleSending(kind, kept)
  const preview = useBundlePreview(kind, sending.refuse)
  const { tokens, setToken } = useTokens()
  const { form } = kept
  const { attachForm } = sending
  const { shown } = preview

  function handlePreview() {
    sending.clearRefusal()
    void preview.load(form, tokens)
  }
  function handleSend() {
    preview.close()
    sending.handleSend(tokens)
  }
  return (
    <Stack gap="md">
      <form
        ref={attachForm}
        aria-label={label}
        noValidate
        autoComplete="off"
        // Enter in a field must not send an invoice by a slip of the hand.
        onSubmit={(event) => event.preventDefault()}
      >
        <UnresolvedFields>
          <Stack gap="md">
            {children({ kept, sending, tokens, setToken })}
            <BundleActions
              bundle={bundleOf(kind, form)}
              canSend={can(permission)}
              isGoing={sending.isGoing}
              isHeld={sending.isHeld}
              isPreviewing={preview.isLoading}
              onPreview={handlePreview}
              onSend={handleSend}
            />
          </Stack>
        </UnresolvedFields>
      </form>
      {shown && (
        <PreviewPanel
          preview={shown.preview}
          isStale={shown.form !== form || shown.tokens !== tokens}
          onClose={preview.close}
        />
      )}
      <SendStatus
        sending={sending}
        isField={(name) => ownFields.test(name)}
        renderRun={can('run.view') ? renderRun : undefined}
      />
      <RepeatDialog
        doubt={sending.isRepeat ? 'repeat' : undefined}
        onConfirm={() => sending.handleRepeat(tokens)}
        onClose={sending.handleDismiss}
      />
    </Stack>
  )
}

/** The tokens live here and nowhere else: no reload brings them back. */
function useTokens() {
  const [tokens, setTokens] = useState<BundleTokens>({ get: '', post: '' })
  const setToken = useCallback(
    (changes: Partial<BundleTokens>) => setTokens((tokens) => ({ ...tokens, ...changes })),
    [],
  )
  return { tokens, setToken }
}

/** What the form of a workflow begins with. Tokens are not taken along. */
const bundleOf = (kind: BundleKind, { steps, isDependent }: BundleForm) => ({
  kind,
  steps,
  isDependent: kind === 'tax' && isDependent,
})

interface BundleActionsProps {
  /** What a new workflow takes along. */
  bundle: object
  canSend: boolean
  /** A run of this form is on its way. */
  isGoing: boolean
  /** Its outcome is unknown: it is settled first. */
  isHeld: boolean
  isPreviewing: boolean
  onPreview: () => void
  onSend: () => void
}

/** The buttons beneath a bundle; hidden from users who may only view. */
function BundleActions(props: BundleActionsProps) {
  const hasUnresolved = useHasUnresolved()
  const saveButton = <SaveAsWorkflow bundle={props.bundle} />
  if (!props.canSend) {
    return (
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          Your roles do not let you send.
        </Text>
        {saveButton}
      </Group>
    )
  }
  return (
    <Group gap="sm">
      <Button
        data-send
        leftSection={<IconSend size={16} aria-hidden />}
        loading={props.isGoing}
        disabled={props.isHeld || hasUnresolved}
        onClick={props.onSend}
      >
        Send Request
      </Button>
      <Button
        variant="default"
        leftSection={<IconEye size={16} aria-hidden />}
        loading={props.isPreviewing}
        disabled={props.isGoing || hasUnresolved}
        onClick={props.onPreview}
      >
        Preview
      </Button>
      {saveButton}
    </Group>
  )
}
