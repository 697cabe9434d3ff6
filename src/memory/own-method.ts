/**
 * Gives an object a method of its own. Moddable's linker freezes the prototypes of preloaded modules, and assigning a method whose name
 * a frozen prototype has would throw.
 */
export function ownMethod<Owner, Name extends keyof Owner & string>(
  owner: Owner,
  name: Name,
  value: Owner[Name],
): void {
  Object.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true });
}
