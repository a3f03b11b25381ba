import { useLayoutEffect, useRef } from 'preact/hooks'

/** A ref for an element. When `state` changes the element's content, its first field or button gets the focus. */
export function useKeptFocus<Root extends HTMLElement>(state: unknown) {
  const [root, before] = [useRef<Root>(null), useRef(state)]
  useLayoutEffect(() => {
    if (before.current !== state) root.current?.querySelector<HTMLElement>('input, select, button')?.focus()
    before.current = state
  }, [state])
  return root
}
