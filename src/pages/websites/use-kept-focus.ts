import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * A ref for an element. When `state` changes the element's content, its first field or button gets the focus, unless
 * the user has moved on to something else.
 */
export function useKeptFocus<Root extends HTMLElement>(state: unknown) {
  const [root, before] = [useRef<Root>(null), useRef(state)]
  useLayoutEffect(() => {
    const { activeElement: active, body } = document
    const isHere = active === null || active === body || root.current?.contains(active)
    if (before.current !== state && isHere) root.current?.querySelector<HTMLElement>('input, select, button')?.focus()
    before.current = state
  }, [state])
  return root
}
