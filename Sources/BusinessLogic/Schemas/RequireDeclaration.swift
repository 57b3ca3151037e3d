/// Ends the process with a message if a declaration of the program is wrong. In a build for release, `precondition` would end it without one.
package func requireDeclaration(
    _ isRight: Bool,
    _ message: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: UInt = #line
) {
    if !isRight { fatalError(message(), file: file, line: line) }
}
