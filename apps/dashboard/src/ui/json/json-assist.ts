import { Prec, StateEffect, StateField, type Extension } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  keymap,
  showTooltip,
  type DecorationSet,
  type Tooltip,
} from '@codemirror/view'
import { assistMaxLength, type Completion, type TextAssist } from './text-assist.ts'

/** Sent when the assist knows something else than before. */
export const assistChanged = StateEffect.define()

const choose = StateEffect.define<number>()
const dismiss = StateEffect.define()

interface Offer {
  from: number
  to: number
  options: readonly Completion[]
  chosen: number
}

/** Underlines what is wrong, and offers completions: arrows choose, Enter or Tab takes, Escape closes. */
export function assistTyping(current: () => TextAssist | undefined): Extension {
  const underlined = (text: string): DecorationSet => {
    const problems = text.length > assistMaxLength ? [] : (current()?.problemsIn(text) ?? [])
    return Decoration.set(
      problems
        .filter(({ from, to }) => from < to && to <= text.length)
        .map(({ from, to, message }) =>
          Decoration.mark({ class: 'json-doubt', attributes: { title: message } }).range(from, to),
        ),
      true,
    )
  }
  const marks = StateField.define<DecorationSet>({
    create: (state) => underlined(state.doc.toString()),
    update: (shown, transaction) =>
      transaction.docChanged || transaction.effects.some((effect) => effect.is(assistChanged))
        ? underlined(transaction.state.doc.toString())
        : shown,
    provide: (field) => EditorView.decorations.from(field),
  })
  const offerAt = (text: string, position: number): Offer | null => {
    const found =
      text.length > assistMaxLength ? undefined : current()?.completionsAt(text, position)
    return found && found.options.length > 0 ? { ...found, to: position, chosen: 0 } : null
  }
  const offers = StateField.define<Offer | null>({
    create: () => null,
    update(offer, transaction) {
      for (const effect of transaction.effects) {
        if (effect.is(dismiss)) return null
        if (effect.is(choose)) return offer && { ...offer, chosen: effect.value }
      }
      const { main } = transaction.state.selection
      if (transaction.docChanged) {
        const isTyped = transaction.isUserEvent('input') || transaction.isUserEvent('delete')
        return isTyped && main.empty ? offerAt(transaction.state.doc.toString(), main.head) : null
      }
      return offer && main.head === offer.to ? offer : null
    },
    provide: (field) => showTooltip.from(field, (offer) => offer && tooltipOf(offer)),
  })
  const take = (view: EditorView, at?: number) => {
    const offer = view.state.field(offers)
    const option = offer?.options[at ?? offer.chosen]
    if (!offer || !option) return false
    view.dispatch({
      changes: { from: offer.from, to: offer.to, insert: option.text },
      selection: { anchor: offer.from + option.text.length },
      effects: [dismiss.of(null), EditorView.announce.of(`${option.label} inserted.`)],
      userEvent: 'input.complete',
    })
    view.focus()
    return true
  }
  const move = (view: EditorView, by: number) => {
    const offer = view.state.field(offers)
    if (!offer) return false
    const next = (offer.chosen + by + offer.options.length) % offer.options.length
    const option = offer.options[next]
    view.dispatch({
      effects: [
        choose.of(next),
        EditorView.announce.of(`${option?.label ?? ''} ${option?.detail ?? ''}`),
      ],
    })
    return true
  }
  const tooltipOf = (offer: Offer): Tooltip => ({
    pos: offer.from,
    create: (view) => ({ dom: listOf(offer, (at) => take(view, at)) }),
  })
  return [
    marks,
    offers,
    Prec.highest(
      keymap.of([
        { key: 'ArrowDown', run: (view) => move(view, 1) },
        { key: 'ArrowUp', run: (view) => move(view, -1) },
        { key: 'Enter', run: (view) => take(view) },
        { key: 'Tab', run: (view) => take(view) },
        {
          key: 'Escape',
          run: (view) => {
            if (!view.state.field(offers)) return false
            view.dispatch({ effects: dismiss.of(null) })
            return true
          },
        },
      ]),
    ),
  ]
}

function listOf({ options, chosen }: Offer, take: (at: number) => void): HTMLElement {
  const list = document.createElement('ul')
  list.className = 'json-offers'
  list.role = 'listbox'
  list.ariaLabel = 'Values that can be inserted'
  list.append(
    ...options.map((option, at) => {
      const item = document.createElement('li')
      item.role = 'option'
      item.ariaSelected = String(at === chosen)
      const label = document.createElement('span')
      label.textContent = option.label
      const detail = document.createElement('span')
      detail.className = 'json-offer-detail'
      detail.textContent = option.detail
      item.append(label, detail)
      // Before the editor would lose the focus.
      item.addEventListener('mousedown', (event) => {
        event.preventDefault()
        take(at)
      })
      return item
    }),
  )
  return list
}
