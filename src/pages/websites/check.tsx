interface CheckProps {
  readonly name: string
  readonly isOn: boolean
  readonly children: { readonly name: string; readonly shows: string }
}

/** A check box with its label. */
export const Check = ({ name, isOn, children }: CheckProps) => (
  <label class="check">
    <input type="checkbox" name={name} defaultChecked={isOn} />
    <span>
      {children.name} <small class="quiet">{children.shows}</small>
    </span>
  </label>
)
