/** A node of the syntax tree, as far as it is needed here. */
export interface Node {
  type: string
  start: number
  end: number
  [property: string]: unknown
}

/** What is shown to people wherever it occurs: attributes of elements. */
const shownAttributes =
  /^(alt|aria-(label|description|roledescription|valuetext)|bearerLabel|caption|closeButtonLabel|description|detail|empty|failureText|head|help|hint|label|missing|never|noneLabel|note|nothingFoundMessage|noun|placeholder|subject|subtitle|text|title|unit|verb)$|(Label|Text|Title|Placeholder)$/

/** Attributes of elements that hold no text, whatever it looks like. */
const silentAttributes =
  /^(className|style|styles|key|id|type|role|autoComplete|data-.*|flex|href|src|thing|value|name|color|c|ff|fz|size)$/

/** Properties of objects that are shown, even when they are one word in small letters. */
const shownKeys =
  /^(aria-label|caption|confirm|description|detail|done|empty|head|hint|label|mend|noun|placeholder|says|text|title|what|word|words)$/

/** Properties of objects that hold no text, whatever it looks like. */
const silentKeys =
  /^(Accept|Authorization|Content-Type|accept|border\w*|class(Name)?|color|flex|font\w*|grid\w*|key|kind|method|mode|outline|padding|margin|scope|sort|state|status|transition|type|variant|width|client_authentication|summery|auth_type|section)$/

const wordNames = /(words|texts|messages|labels|titles|troubles)$/i

const silentElements = /^(Code|code|kbd|Kbd|pre|style)$/

/** Functions whose arguments are for developers, or are no text. */
const silentCalls =
  /^(Error|TypeError|RegExp|URL|Blob|Set|getItem|setItem|removeItem|querySelector|querySelectorAll|closest|matches|addEventListener|getElementById|getPropertyValue|replace|replaceAll|split|startsWith|endsWith|includes|indexOf|test|call|createElement)$/

/** Whether a text has words at all. */
export const hasWords = (text: string) => /\p{L}{2}/u.test(text)

/**
 * Whether a text of the code reads as one that is shown: a word with a capital, or several words. Paths,
 * addresses and the like are not.
 */
export function looksShown(text: string): boolean {
  if (
    !hasWords(text) ||
    /^[/#@]|^\.\S|:\/\/|^\w+\/[\w*+.-]+$|var\(--|calc\(|-serif$|^(using|const|request) |^--?\w|\($/.test(
      text,
    )
  )
    return false
  return (
    /^[^\p{L}]*\p{Lu}\p{Ll}+(?![\w-])/u.test(text) ||
    /\p{Ll}{2,}[^\w/]* \p{L}|\p{L},? \p{Ll}{2}/u.test(text)
  )
}

/** How the texts below a node are taken: all that has words, only what reads as shown, or none. */
export type Mode = 'all' | 'shown' | 'none'

/** The mode for a child of a node, from the one of the node. */
export function modeOf(parent: Node, property: string, mode: Mode): Mode {
  switch (parent.type) {
    case 'JSXAttribute':
      return modeOfAttribute(parent)
    case 'JSXElement':
      return silentElements.test(nameOf((parent['openingElement'] as Node)['name'] as Node))
        ? 'none'
        : 'all'
    case 'JSXFragment':
      return 'all'
    case 'JSXSpreadAttribute':
      return 'shown'
    case 'Property':
      return property === 'value' ? modeOfKey(nameOf(parent['key'] as Node), mode) : 'none'
    case 'VariableDeclarator':
      return wordNames.test(nameOf(parent['id'] as Node)) ? 'all' : mode
    case 'NewExpression':
    case 'CallExpression':
      return modeOfCall(parent, property, mode)
    case 'BinaryExpression':
      return parent['operator'] === '+' ? mode : 'none'
    case 'ConditionalExpression':
      return property === 'test' ? 'none' : mode
    case 'LogicalExpression':
      return property === 'left' && parent['operator'] === '&&' ? 'none' : mode
    case 'MemberExpression':
      return property === 'property' ? 'none' : narrow(mode)
    case 'FunctionDeclaration':
      return wordNames.test(nameOf(parent['id'] as Node)) ? 'all' : 'shown'
    case 'TaggedTemplateExpression':
    case 'ImportDeclaration':
    case 'ImportExpression':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return property === 'declaration' ? 'shown' : 'none'
    case 'SwitchCase':
    case 'SwitchStatement':
      return property === 'test' ? 'none' : mode
    default:
      return parent.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(parent.type)
        ? 'none'
        : mode
  }
}

/** What is chosen from by a text, or is called, is taken only where it reads as shown. */
const narrow = (mode: Mode): Mode => (mode === 'all' ? 'shown' : mode)

function modeOfAttribute(attribute: Node): Mode {
  const name = nameOf(attribute['name'] as Node)
  if (silentAttributes.test(name)) return 'none'
  return shownAttributes.test(name) ? 'all' : 'shown'
}

function modeOfKey(key: string, mode: Mode): Mode {
  if (mode === 'none' || silentKeys.test(key)) return 'none'
  return shownKeys.test(key) ? 'all' : mode
}

function modeOfCall(call: Node, property: string, mode: Mode): Mode {
  const callee = call['callee'] as Node
  const name = nameOf(callee.type === 'MemberExpression' ? (callee['property'] as Node) : callee)
  if (property !== 'callee') return silentCalls.test(name) ? 'none' : 'shown'
  // What is joined or filtered is shown as its list is.
  return /^(join|filter|map|flatMap|concat)$/.test(name) ? mode : narrow(mode)
}

/** The name of an identifier, or the text of a literal; blank for anything else. */
export function nameOf(node: Node | null | undefined): string {
  const name = node?.['name'] ?? node?.['value']
  return typeof name === 'string' ? name : ''
}
